import type { PagerProps } from './Pager.tsx'
import { showKeys } from './show-keys.tsx'
import { focusedRow, focusRow, useTableKeys } from './use-table-keys.ts'

export interface PageKeys {
  pages?: PagerProps | undefined
  /** Opens the row of this id. If absent: the link of its name, or else its details. */
  onOpen?: ((id: string) => void) | undefined
}

/** The keys of a page with one table, which has `hasFocusableRows`, and with or without a `TableFilter`. */
export function usePageKeys(page: PageKeys): void {
  useTableKeys({
    onSearch: () => searchField()?.focus(),
    onMove: focusRow,
    onOpen: () => open(page),
    onPage: (by) => turn(page, by),
    onHelp: () => showKeys(page),
  })
}

export function searchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('search :is(input, select)')
}

/** What opens a row, within it. */
export const opener = ':is(th a, [aria-expanded])'

/** @returns whether a row has the focus, and can be opened */
function open({ onOpen }: PageKeys): boolean {
  const id = focusedRow()
  if (id === null) return false
  const pressed = document.activeElement?.querySelector<HTMLElement>(opener)
  if (onOpen !== undefined) onOpen(id)
  else pressed?.click()
  return onOpen !== undefined || pressed !== null
}

function turn({ pages }: PageKeys, by: 1 | -1): void {
  if (pages === undefined) return
  const page = pages.page + by
  if (page >= 1 && page <= (pages.totalPages ?? page)) pages.onPage(page)
}
