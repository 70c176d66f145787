import type { ProjectRoom, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { rememberedPageSize, rememberPageSize } from '#ui/table/remembered-page-size.ts'
import { roomListQuery } from './room-list.ts'
import { type Column, defaultPageSize, pageSizes } from './search.ts'
import { useLiveRows } from './use-live-rows.ts'

/** What every table of rooms has in the URL. */
interface PagedSearch {
  page?: number | undefined
  size?: number | undefined
  sort?: Column | undefined
  dir?: 'asc' | 'desc' | undefined
}

interface RoomPagesOptions<Search> {
  /** Its rows per page and its last page are kept under this name. */
  table: string
  search: Search
  onSearch: (search: Search, how?: { replace: boolean }) => void
  /** Must be stable. @param size rows per page where the URL says nothing */
  queryOf: (search: Search, size: number) => RoomListQuery
}

export interface RoomPages {
  /** The answer to what the URL asks, or, while that is on its way, the one before. */
  answer: RoomList | undefined
  rooms: readonly ProjectRoom[]
  query: RoomListQuery
  error: Error | null
  isFirstLoad: boolean
  /** Shown is the answer to another question than the present one. */
  isOutdated: boolean
  isWaiting: boolean
  page: number
  size: number
  refetch: () => void
  goTo: (page: number) => void
  turnPage: (by: 1 | -1) => void
  resize: (size: number) => void
  sort: (column: Column, dir: 'asc' | 'desc') => void
}

const noRooms: readonly ProjectRoom[] = []

/** The page of rooms that the URL asks for, kept live, and the ways to other pages. */
export function useRoomPages<Search extends PagedSearch>(options: RoomPagesOptions<Search>): RoomPages {
  const { table, search, onSearch, queryOf } = options
  const [remembered] = useState(() => rememberedPageSize(table, pageSizes, defaultPageSize))
  const query = useMemo(() => queryOf(search, remembered), [queryOf, search, remembered])
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    ...roomListQuery(query, table),
    placeholderData: keepPreviousData,
  })
  const rooms = data?.data ?? noRooms
  useLiveRows(query, table, rooms)
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
    query,
    error,
    isFirstLoad: isPending && error === null,
    isOutdated: isPlaceholderData,
    isWaiting: isFetching,
    page,
    size,
    refetch: useCallback(() => void refetch(), [refetch]),
    goTo,
    turnPage: (by) => {
      const to = page + by
      if (to >= 1 && to <= lastPage) goTo(to)
    },
    resize: (to) => {
      rememberPageSize(table, to)
      onSearch({ ...search, size: to, page: undefined })
    },
    sort: (column, dir) => onSearch({ ...search, sort: column, dir, page: undefined }),
  }
}
