import { useCallback, useState } from 'react'
import { listQueryOf } from './queries.ts'
import { isNarrowed, parseRoomsSearch, type RoomsSearch } from './search.ts'
import { type RoomPages, useRoomPages } from './use-room-pages.ts'

export interface RoomListState extends RoomPages {
  isNarrowed: boolean
  narrow: (change: Pick<RoomsSearch, 'q' | 'in' | 'hideFailed'>) => void
  resetFilter: () => void
}

/** The list that the URL asks for, kept live, and the ways to ask for another part of it. */
export function useRoomList(search: RoomsSearch, onSearch: ChangeSearch): RoomListState {
  const pages = useRoomPages({ table: 'projectRooms', search, onSearch, queryOf: listQueryOf })
  return {
    ...pages,
    isNarrowed: isNarrowed(search),
    narrow: (change) => {
      // Typing on is no step to come back to.
      const replace = 'q' in change && search.q !== undefined
      onSearch({ ...search, ...change, page: undefined }, { replace })
    },
    resetFilter: () => onSearch({ ...search, q: undefined, in: undefined, hideFailed: undefined, page: undefined }),
  }
}

export interface ShownSearch {
  /** What stood in the URL when it was last looked at. */
  seen: RoomsSearch
  shown: RoomsSearch
  /** What the URL is on its way to. */
  wanted: RoomsSearch | null
}

/** Changes what the URL says. `replace`: not a step to come back to. */
export type ChangeSearch = (search: RoomsSearch, how?: { replace: boolean }) => void

/**
 * The list's search, ahead of the URL: a change is shown and asked for at once, while the router is still on its
 * way; whatever else changes the URL (back, a link) is followed.
 */
export function useShownSearch(inUrl: RoomsSearch, changeUrl: ChangeSearch): [RoomsSearch, ChangeSearch] {
  const [state, set] = useState<ShownSearch>({ seen: inUrl, shown: inUrl, wanted: null })
  if (inUrl !== state.seen) set(afterUrlChange(state, inUrl))
  const change = useCallback<ChangeSearch>(
    (to, how) => {
      const next = parseRoomsSearch({ ...to })
      set((before) => afterWish(before, next))
      changeUrl(next, how)
    },
    [changeUrl],
  )
  return [state.shown, change]
}

/** Exported for its tests. */
export function afterWish(before: ShownSearch, wish: RoomsSearch): ShownSearch {
  return { ...before, shown: wish, wanted: isSame(wish, before.seen) ? null : wish }
}

/** Exported for its tests. What comes by on the way to what is wanted is passed over. */
export function afterUrlChange(before: ShownSearch, inUrl: RoomsSearch): ShownSearch {
  const { shown, wanted } = before
  const isFollowed = wanted === null || isSame(inUrl, wanted)
  return { seen: inUrl, shown: isFollowed ? inUrl : shown, wanted: isFollowed ? null : wanted }
}

function isSame(one: RoomsSearch, other: RoomsSearch): boolean {
  return JSON.stringify(parseRoomsSearch({ ...one })) === JSON.stringify(parseRoomsSearch({ ...other }))
}
