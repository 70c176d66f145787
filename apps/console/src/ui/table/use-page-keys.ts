import { opener, type PageKeys, searchField } from './page-keys.ts'
import { showKeys } from './show-keys.tsx'
import { focusedRow, focusRow, useTableKeys } from './use-table-keys.ts'

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

/** @returns whether a row has the focus, and can be opened */
function open({ onOpen }: PageKeys): boolean {
  const id = focusedRow()
  if (id === null) return false
  const pressed = document.querySelector<HTMLElement>(`tr:focus ${opener}`)
  if (onOpen !== undefined) onOpen(id)
  else pressed?.click()
  return onOpen !== undefined || pressed !== null
}

function turn({ pages }: PageKeys, by: 1 | -1): void {
  if (pages === undefined) return
  const page = pages.page + by
  if (page >= 1 && page <= (pages.totalPages ?? page)) pages.onPage(page)
}
