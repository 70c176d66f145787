import { useState } from 'react'

export interface Pages<Row> {
  /** From 1. */
  page: number
  size: number
  /** Those of the page. */
  rows: readonly Row[]
  totalElements: number
  totalPages: number
  onPage: (page: number) => void
}

/** The pages of rows that are all here. */
export function usePages<Row>(all: readonly Row[], size: number): Pages<Row> {
  const [wanted, setWanted] = useState(1)
  const totalPages = Math.max(1, Math.ceil(all.length / size))
  const page = Math.min(wanted, totalPages)
  const rows = all.slice((page - 1) * size, page * size)
  return { page, size, rows, totalElements: all.length, totalPages, onPage: setWanted }
}
