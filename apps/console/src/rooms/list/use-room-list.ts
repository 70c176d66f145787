import { useCallback, useState } from 'react'
import { listQueryOf } from './queries.ts'
import {
  isNarrowed,
  parseRoomsSearch,
  type RoomFilters,
  type RoomsSearch,
  roomsTable,
  withoutFilter,
} from './search.ts'
import { type RoomPages, useRoomPages } from './use-room-pages.ts'

/** A change of search or filters. */
export type Narrowing = RoomFilters & Pick<RoomsSearch, 'q' | 'in' | 'hideFailed'>

export interface RoomListState extends RoomPages {
  isNarrowed: boolean
  narrow: (change: Narrowing) => void
  resetFilter: () => void
}

/** The list that the URL asks for, kept live, and functions that change the URL. */
export function useRoomList(search: RoomsSearch, onSearch: ChangeSearch): RoomListState {
  const pages = useRoomPages({ table: roomsTable, search, onSearch, queryOf: listQueryOf })
  return {
    ...pages,
    isNarrowed: isNarrowed(search),
    narrow: (change) => {
      // Further typing adds no entry to the browser's history.
      const replace = ('q' in change && search.q !== undefined) || ('company' in change && search.company !== undefined)
      onSearch({ ...search, ...change, page: undefined }, { replace })
    },
    resetFilter: () => onSearch(withoutFilter(search)),
  }
}

export interface ShownSearch {
  /** The last search in the URL. */
  known: RoomsSearch
  shown: RoomsSearch
  /** The search that the router is navigating to. */
  requested: RoomsSearch | null
  /** Searches that were requested before it and may still come by in the URL. */
  passing?: readonly RoomsSearch[] | undefined
}

/** Changes the URL. `replace`: without a new entry in the history. */
export type ChangeSearch = (search: RoomsSearch, how?: { replace: boolean }) => void

/**
 * The search of the list, ahead of the URL: a change is shown and fetched at once, while the router is still
 * navigating. Other changes of the URL (Back, a link) are followed.
 */
export function useShownSearch(inUrl: RoomsSearch, changeUrl: ChangeSearch): [RoomsSearch, ChangeSearch] {
  const [state, set] = useState<ShownSearch>({ known: inUrl, shown: inUrl, requested: null })
  if (inUrl !== state.known) set(afterUrlChange(state, inUrl))
  const change = useCallback<ChangeSearch>(
    (to, how) => {
      const next = parseRoomsSearch({ ...to })
      set((before) => afterChange(before, next))
      changeUrl(next, how)
    },
    [changeUrl],
  )
  return [state.shown, change]
}

/** Exported for its tests. */
export function afterChange(before: ShownSearch, change: RoomsSearch): ShownSearch {
  if (isSame(change, before.known)) return { known: before.known, shown: change, requested: null }
  const passing = [...(before.passing ?? []), ...(before.requested === null ? [] : [before.requested])]
  return { ...before, shown: change, requested: change, passing }
}

/** Exported for its tests. URLs on the way to the requested one are ignored; any other one, as after Back, counts. */
export function afterUrlChange(before: ShownSearch, inUrl: RoomsSearch): ShownSearch {
  const { requested, passing = [] } = before
  const comesBy = requested !== null && !isSame(inUrl, requested) && passing.some((each) => isSame(inUrl, each))
  if (comesBy) return { ...before, known: inUrl }
  // What is shown already stays the same object, so that nothing is drawn again.
  return { known: inUrl, shown: isSame(inUrl, before.shown) ? before.shown : inUrl, requested: null }
}

function isSame(one: RoomsSearch, other: RoomsSearch): boolean {
  return JSON.stringify(parseRoomsSearch({ ...one })) === JSON.stringify(parseRoomsSearch({ ...other }))
}
