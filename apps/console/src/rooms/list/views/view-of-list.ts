/** What a view keeps of the list, and what the list takes of a view. */
import type { View, ViewColumns } from '@roomkeeper/contract'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { rememberedColumns, setColumns } from '#ui/table/remembered-columns.ts'
import { parseRoomsSearch, type RoomsSearch, roomsTable } from '../search.ts'

/** Search, filters and order as in the address of the list, without `?`. Pages are not part of a view. */
export function queryOf({ page, size, view, ...kept }: RoomsSearch): string {
  return defaultStringifySearch(parseRoomsSearch({ ...kept })).slice(1)
}

function searchOf({ id, query }: View, { size }: RoomsSearch): RoomsSearch {
  const { page: _, ...kept } = parseRoomsSearch(defaultParseSearch(query))
  return { ...kept, size, view: id }
}

/** Gives the list the columns of the view. @returns the search to go to */
export function showView(view: View, search: RoomsSearch = {}): RoomsSearch {
  showColumns(view.columns)
  return searchOf(view, search)
}

/** The columns of the list as they are now. */
export function columnsNow(): ViewColumns {
  const { columnVisibility, columnSizing, columnOrder } = rememberedColumns(roomsTable)
  const idsThatAre = (shown: boolean) => Object.keys(columnVisibility).filter((id) => columnVisibility[id] === shown)
  return {
    hidden: idsThatAre(false),
    shown: idsThatAre(true),
    widths: Object.entries(columnSizing).map(([column, width]) => ({ column, width })),
    order: columnOrder,
  }
}

export function showColumns({ hidden, shown, widths, order }: ViewColumns): void {
  setColumns(roomsTable, {
    columnVisibility: Object.fromEntries([
      ...hidden.map((id) => [id, false] as const),
      ...shown.map((id) => [id, true] as const),
    ]),
    columnSizing: Object.fromEntries(widths.map(({ column, width }) => [column, width])),
    columnOrder: order,
  })
}

/** Whether the list is not as the view has it. */
export function isChanged(view: View, search: RoomsSearch): boolean {
  return queryOf(searchOf(view, search)) !== queryOf(search) || textOf(view.columns) !== textOf(columnsNow())
}

/** Equal columns give equal texts, regardless of the order in which they were chosen. */
function textOf({ hidden, shown, widths, order }: ViewColumns): string {
  const sized = widths.map(({ column, width }) => [column, width]).toSorted()
  return JSON.stringify([hidden.toSorted(), shown.toSorted(), sized, order])
}
