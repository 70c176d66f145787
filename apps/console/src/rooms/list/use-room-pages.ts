import type { ProjectRoom, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { rememberedPageSize, rememberPageSize } from '#ui/table/Pager.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { roomListQuery, roomTotalsKey, roomTotalsQuery, useKept, useLiveRows } from './room-list.ts'
import { type Column, sortOf } from './search.ts'

/** The URL parameters that every table of rooms has. */
interface PagedSearch {
  page?: number | undefined
  size?: number | undefined
  sort?: Column | undefined
  dir?: 'asc' | 'desc' | undefined
}

interface RoomPagesOptions<Search> {
  /** The name under which rows per page and the last page are stored. */
  table: string
  search: Search
  onSearch: (search: Search, how?: { replace: boolean }) => void
  /** Must be stable. @param size rows per page if the URL does not say */
  queryOf: (search: Search, size: number) => RoomListQuery
}

export interface RoomPages {
  /** The page that the URL asks for, or the previous one while it loads. */
  answer: RoomList | undefined
  rooms: readonly ProjectRoom[]
  query: RoomListQuery
  error: Error | null
  isFirstLoad: boolean
  /** Whether the shown page is not (yet) the one that the URL asks for. */
  isOutdated: boolean
  isWaiting: boolean
  refetch: () => void
  turnPage: (by: 1 | -1) => void
  /** Undefined until the first answer. */
  pages: PagerProps | undefined
  sort: { by: Column; dir: 'asc' | 'desc' }
  onSort: (by: Column, dir: 'asc' | 'desc') => void
}

const noRooms: readonly ProjectRoom[] = []

/** The page of rooms that the URL asks for, kept live, and functions that lead to other pages. */
export function useRoomPages<Search extends PagedSearch>(options: RoomPagesOptions<Search>): RoomPages {
  const { table, search, onSearch, queryOf } = options
  const [remembered] = useState(() => rememberedPageSize(table, pageSizes, defaultPageSize))
  const query = useMemo(() => queryOf(search, remembered), [queryOf, search, remembered])
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    ...roomListQuery(query, table),
    placeholderData: keepPreviousData,
  })
  // While other rows load, totals and number of pages are those of the rows that are still shown.
  const [shown, setShown] = useState(query)
  if (!isPlaceholderData && shown !== query) setShown(query)
  const totals = useQuery({
    ...roomTotalsQuery(shown),
    enabled: data?.totalElements === null && !isPlaceholderData,
  })
  const answer = useMemo(() => withTotals(data, totals.data, shown), [data, totals.data, shown])
  const rooms = data?.data ?? noRooms
  const queryClient = useQueryClient()
  useLiveRows(query, rooms)
  useKept(table, query, isPlaceholderData || isPending ? undefined : data)
  const { page, size } = { page: query.page + 1, size: query.size }
  // Only an answer that has just come can say that the page is gone. One that comes without totals is full.
  const isFresh = !isPlaceholderData && !isFetching && error === null
  const lastPage = isFresh && data?.totalPages != null ? Math.max(1, data.totalPages) : null
  useEffect(() => {
    if (lastPage !== null && page > lastPage) onSearch({ ...search, page: lastPage }, { replace: true })
  }, [page, lastPage, search, onSearch])
  const areOlder = answer?.totalElements === null && totals.data !== undefined
  const countAgain = totals.refetch
  useEffect(() => {
    if (areOlder) void countAgain()
  }, [areOlder, countAgain])

  const onAim = useCallback(
    (to: number) => void queryClient.prefetchQuery(roomListQuery({ ...query, page: to - 1 }, table)),
    [queryClient, query, table],
  )
  const onPage = (to: number) => onSearch({ ...search, size, page: to })
  const onSize = (to: number) => {
    rememberPageSize(table, to)
    onSearch({ ...search, size: to, page: undefined })
  }
  const { column: by, dir } = sortOf(search)
  return {
    answer,
    rooms,
    query,
    error: error ?? totals.error,
    isFirstLoad: isPending && error === null,
    isOutdated: isPlaceholderData,
    isWaiting: isFetching || totals.isFetching,
    refetch: useCallback(() => {
      void refetch()
      void queryClient.invalidateQueries({ queryKey: roomTotalsKey })
    }, [refetch, queryClient]),
    turnPage: (step) => {
      const to = page + step
      if (to >= 1 && to <= (answer?.totalPages ?? to)) onPage(to)
    },
    pages: answer && {
      page,
      size,
      sizes: pageSizes,
      totalElements: answer.totalElements,
      totalPages: answer.totalPages,
      isTotalLate: data?.totalElements === null,
      onPage,
      onAim,
      onSize,
    },
    sort: { by, dir },
    onSort: (column, to) => onSearch({ ...search, sort: column, dir: to, page: undefined }),
  }
}

/**
 * The page with the totals that came after it, if they did. Totals of fewer rooms than there are up to this page are
 * older than the page, and left out.
 */
function withTotals(page: RoomList | undefined, totals: RoomList | undefined, query: RoomListQuery) {
  if (page === undefined || page.totalElements !== null || totals === undefined) return page
  const { totalElements, licenses } = totals
  if (totalElements === null || totalElements < query.page * query.size + page.data.length) return page
  return { ...page, totalElements, licenses, totalPages: Math.ceil(totalElements / query.size) }
}

/** @param failed the title if no rooms could be loaded at all */
export function useRoomsLoad({ answer, error, refetch, isOutdated }: RoomPages, failed: string): LoadState {
  const { t } = useTranslation('rooms')
  const title = answer === undefined ? failed : t('notRefreshed')
  return { failure: error === null ? null : { title, text: textOf(error) }, onAgain: refetch, isOutdated }
}
