import { isNarrowed, listQueryOf, type RoomsSearch } from './search.ts'
import { type RoomPages, useRoomPages } from './use-room-pages.ts'
import type { ChangeSearch } from './use-shown-search.ts'

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
