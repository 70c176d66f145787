import { useState } from 'react'
import type { PagerProps } from './Pager.tsx'

export interface Pages<Row> {
  /** Those of the page; undefined like all of them. */
  rows: readonly Row[] | undefined
  /** The way to the others, if there are any. */
  pages: PagerProps | undefined
}

/** The pages of rows that are all here. */
export function usePages<Row>(all: readonly Row[] | undefined, size: number): Pages<Row> {
  const [wanted, setWanted] = useState(1)
  const totalPages = Math.max(1, Math.ceil((all?.length ?? 0) / size))
  const page = Math.min(wanted, totalPages)
  const pages = { page, size, totalElements: all?.length ?? 0, totalPages, onPage: setWanted }
  return { rows: all?.slice((page - 1) * size, page * size), pages: totalPages > 1 ? pages : undefined }
}
