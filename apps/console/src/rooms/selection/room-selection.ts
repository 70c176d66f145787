/** The rooms selected in the list, also on other pages and by other searches, and how they are named to the server. */
import type { BulkSelection, RoomExportQuery, RoomListQuery } from '@roomkeeper/contract'
import { useState } from 'react'
import { allMatching, noneSelected, type Selected, withRows } from '#ui/table/selected-rows.ts'

export type SelectedRooms = Selected<RoomExportQuery>

export interface RoomSelection {
  selected: SelectedRooms
  onSelect: (names: readonly string[], isOn: boolean) => void
  selectAll: (total: number) => void
  clear: () => void
}

/** The selection of the list. 'All that match' ends with another search; named rooms stay selected. */
export function useRoomSelection({ page: _, size: __, totals: ___, ...query }: RoomListQuery): RoomSelection {
  const [kept, setSelected] = useState<SelectedRooms>(noneSelected)
  const selected = kept.kind === 'all' && !matchSame(kept.query, query) ? noneSelected : kept
  if (selected !== kept) setSelected(selected)
  return {
    selected,
    onSelect: (names, isOn) => setSelected((before) => withRows(before, names, isOn)),
    selectAll: (total) => setSelected(allMatching(query, total)),
    clear: () => setSelected(noneSelected),
  }
}

/** All that match are a query, not a list of names. */
export function bulkSelectionOf(selected: SelectedRooms): BulkSelection {
  if (selected.kind === 'named') return { rooms: [...selected.ids] }
  return { query: selected.query, except: [...selected.except] }
}

/** Whether two queries match the same rooms, in any order. Exported for its tests. */
export function matchSame(one: RoomExportQuery, other: RoomExportQuery): boolean {
  const narrowing = (query: RoomExportQuery) => JSON.stringify({ ...query, order_by: null, order_dir: null })
  return narrowing(one) === narrowing(other)
}
