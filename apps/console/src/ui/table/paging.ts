/** Which rows are on which page, and how many rows a page has. */
import { useState } from 'react'
import type { PagerProps } from './Pager.tsx'

interface Found {
  totalElements: number
  totalPages: number
}

/** As the server answers. */
export interface FoundPage<Row> extends Found {
  data: readonly Row[]
  /** Counted from 1; if absent, the page in the URL. */
  page?: number
}

/** @param found a page from the server */
export function pagesOf(found: Found | undefined, shown: Omit<PagerProps, keyof Found>): PagerProps | undefined {
  return found && { ...shown, totalElements: found.totalElements, totalPages: found.totalPages }
}

/** A page, counted from 0. */
interface Wanted {
  page: number
  size: number
}

/** A page of rows that are all loaded; beyond the last page, the last one. */
export function pageOf<Row>(all: readonly Row[], { page, size }: Wanted): Required<FoundPage<Row>> {
  const totalPages = Math.ceil(all.length / size)
  const shown = Math.max(0, Math.min(page, totalPages - 1))
  const data = all.slice(shown * size, (shown + 1) * size)
  return { data, totalElements: all.length, totalPages, page: shown + 1 }
}

export interface Pages<Row> {
  /** The rows of the page; undefined while the rows are not loaded. */
  rows: readonly Row[] | undefined
  /** The pager, if there is more than one page. */
  pages: PagerProps | undefined
}

/** Pages of rows that are all loaded. */
export function usePages<Row>(all: readonly Row[] | undefined, size: number): Pages<Row> {
  const [requested, setRequested] = useState(1)
  const found = all && pageOf(all, { page: requested - 1, size })
  if (found === undefined || found.totalPages <= 1) return { rows: found?.data, pages: undefined }
  return { rows: found.data, pages: pagesOf(found, { page: found.page, size, onPage: setRequested }) }
}

/** The key in local storage for a table's rows per page. */
const keyOf = (table: string) => `roomkeeper.rows.${table}`

export function rememberedPageSize<Size extends number>(table: string, sizes: readonly Size[], fallback: Size): Size {
  const saved = Number(localStorage.getItem(keyOf(table)))
  return sizes.find((each) => each === saved) ?? fallback
}

export function rememberPageSize(table: string, size: number): void {
  localStorage.setItem(keyOf(table), String(size))
}
