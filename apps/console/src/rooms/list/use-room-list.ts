import type { ProjectRoom, RoomList } from '@roomkeeper/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { rememberedPageSize, rememberPageSize } from '#ui/table/remembered-page-size.ts'
import { roomListQuery, roomsTable } from './room-list.ts'
import { type Column, defaultPageSize, isNarrowed, listQueryOf, pageSizes, type RoomsSearch } from './search.ts'
import { useLiveRows } from './use-live-rows.ts'
import type { ChangeSearch } from './use-shown-search.ts'

export interface RoomListState {
  /** The answer to what the URL asks, or, while that is on its way, the one before. */
  answer: RoomList | undefined
  rooms: readonly ProjectRoom[]
  error: Error | null
  isFirstLoad: boolean
  /** Shown is the answer to another question than the present one. */
  isOutdated: boolean
  isWaiting: boolean
  isNarrowed: boolean
  page: number
  size: number
  refetch: () => void
  goTo: (page: number) => void
  turnPage: (by: 1 | -1) => void
  resize: (size: number) => void
  sort: (column: Column, dir: 'asc' | 'desc') => void
  narrow: (change: Pick<RoomsSearch, 'q' | 'in' | 'hideFailed'>) => void
  resetFilter: () => void
}

const noRooms: readonly ProjectRoom[] = []

/** The list that the URL asks for, kept live, and the ways to ask for another part of it. */
export function useRoomList(search: RoomsSearch, onSearch: ChangeSearch): RoomListState {
  const [remembered] = useState(() => rememberedPageSize(roomsTable, pageSizes, defaultPageSize))
  const query = useMemo(() => listQueryOf(search, remembered), [search, remembered])
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    ...roomListQuery(query),
    placeholderData: keepPreviousData,
  })
  const rooms = data?.data ?? noRooms
  useLiveRows(query, rooms)
  const { page, size } = { page: query.page + 1, size: query.size }
  // While other rows are on their way, the number of pages is that of the rows before.
  const lastPage = Math.max(1, data?.totalPages ?? page)
  useEffect(() => {
    // The last rows of the last page are gone.
    if (page > lastPage && !isPlaceholderData) onSearch({ ...search, page: lastPage }, { replace: true })
  }, [page, lastPage, isPlaceholderData, search, onSearch])

  const goTo = (to: number) => onSearch({ ...search, size, page: to })
  return {
    answer: data,
    rooms,
    error,
    isFirstLoad: isPending && error === null,
    isOutdated: isPlaceholderData,
    isWaiting: isFetching,
    isNarrowed: isNarrowed(search),
    page,
    size,
    refetch: useCallback(() => void refetch(), [refetch]),
    goTo,
    turnPage: (by) => {
      const to = page + by
      if (to >= 1 && to <= lastPage) goTo(to)
    },
    resize: (to) => {
      rememberPageSize(roomsTable, to)
      onSearch({ ...search, size: to, page: undefined })
    },
    sort: (column, dir) => onSearch({ ...search, sort: column, dir, page: undefined }),
    narrow: (change) => {
      // Typing on is no step to come back to.
      const replace = 'q' in change && search.q !== undefined
      onSearch({ ...search, ...change, page: undefined }, { replace })
    },
    resetFilter: () => onSearch({ ...search, q: undefined, in: undefined, hideFailed: undefined, page: undefined }),
  }
}
