import type { ProjectRoom, RoomListQuery } from '@roomkeeper/contract'
import { useCallback, useRef, useState } from 'react'
import { shownRowIds } from '#ui/table/use-table-keys.ts'
import { isSelected, matchSame, noRooms, rangeOf, type SelectedRooms, withRooms } from './room-selection.ts'

export interface RoomSelectionState {
  selected: SelectedRooms
  has: (room: ProjectRoom) => boolean
  /** Selects or deselects a room. Stable. @param isRange with all rooms since the last one */
  toggle: (room: ProjectRoom, isRange: boolean) => void
  /** Selects the rooms of the page; if all are selected already, deselects them. */
  togglePage: () => void
  selectAll: (total: number) => void
  clear: () => void
}

/** The selection of the list. 'All that match' ends with another search; named rooms stay selected. */
export function useRoomSelection(rooms: readonly ProjectRoom[], query: RoomListQuery): RoomSelectionState {
  const [kept, setSelected] = useState(noRooms)
  const last = useRef<string>(null)
  const page = useRef(rooms)
  page.current = rooms
  const selected = kept.kind === 'all' && !matchSame(kept.query, query) ? noRooms : kept
  if (selected !== kept) setSelected(selected)
  const toggle = useCallback((room: ProjectRoom, isRange: boolean) => {
    const range = isRange ? rangeOf(asShown(page.current), last.current, room) : [room]
    last.current = room.tenantName
    setSelected((before) => withRooms(before, range, !isSelected(before, room)))
  }, [])
  return {
    selected,
    has: (room) => isSelected(selected, room),
    toggle,
    togglePage: () => {
      const shown = asShown(rooms)
      setSelected(withRooms(selected, shown, !shown.every((room) => isSelected(selected, room))))
    },
    selectAll: (total) => setSelected({ kind: 'all', query, total, except: new Set() }),
    clear: () => setSelected(noRooms),
  }
}

/** The rooms that the operator sees, in the order on the screen: nothing unseen is ever selected with them. */
function asShown(rooms: readonly ProjectRoom[]): readonly ProjectRoom[] {
  const byName = new Map(rooms.map((room) => [room.tenantName, room]))
  return shownRowIds().flatMap((name) => byName.get(name) ?? [])
}
