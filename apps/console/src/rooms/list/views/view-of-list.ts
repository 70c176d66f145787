/** What a view keeps of the list, and what the list takes of a view. */
import type { View, ViewColumns } from '@roomkeeper/contract'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import { rememberedColumns, setColumns } from '#ui/table/remembered-columns.ts'
import { parseRoomsSearch, type RoomsSearch } from '../search.ts'

/** The name under which the list's columns are remembered. */
export const roomsTable = 'projectRooms'

/** Search, filters and order as in the address of the list, without `?`. Pages are not part of a view. */
export function queryOf({ page, size, view, ...kept }: RoomsSearch): string {
  return defaultStringifySearch(parseRoomsSearch({ ...kept })).slice(1)
}

export function searchOf({ id, query }: Pick<View, 'id' | 'query'>, { size }: RoomsSearch = {}): RoomsSearch {
  const { page: _, ...kept } = parseRoomsSearch(defaultParseSearch(query))
  return { ...kept, size, view: id }
}

/** The columns of the list as they are now. */
export function columnsNow(): ViewColumns {
  const { columnVisibility, columnSizing, columnOrder } = rememberedColumns(roomsTable)
  const idsThatAre = (shown: boolean) => Object.keys(columnVisibility).filter((id) => columnVisibility[id] === shown)
  return {
    hidden: idsThatAre(false).sort(),
    shown: idsThatAre(true).sort(),
    widths: Object.entries(columnSizing)
      .map(([column, width]) => ({ column, width }))
      .sort((one, other) => (one.column < other.column ? -1 : 1)),
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
  const kept = queryOf(searchOf(view, search))
  return kept !== queryOf(search) || JSON.stringify(inOneOrder(view.columns)) !== JSON.stringify(columnsNow())
}

function inOneOrder({ hidden, shown, widths, order }: ViewColumns): ViewColumns {
  return {
    hidden: hidden.toSorted(),
    shown: shown.toSorted(),
    widths: widths
      .toSorted((one, other) => (one.column < other.column ? -1 : 1))
      .map(({ column, width }) => ({ column, width })),
    order,
  }
}
