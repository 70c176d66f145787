import type { ProjectRoom, RoomExportQuery, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#locales/error-texts.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { rememberedPageSize, rememberPageSize } from '#ui/table/paging.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { pageQueryOf, roomQueryOf } from './list-request.ts'
import { roomListQuery, roomTotalsKey, roomTotalsQuery } from './queries.ts'
import {
  type ChangeSearch,
  isNarrowed,
  type RoomColumn,
  type RoomFilters,
  type RoomsSearch,
  roomsTable,
  sortOf,
  type TableSearch,
  withoutFilter,
} from './search.ts'
import { useStoredPage } from './stored-page.ts'
import { useLiveRows } from './use-live-rows.ts'

/** A change of search or filters. */
type RoomsFilterChange = RoomFilters & Pick<RoomsSearch, 'q' | 'in' | 'hideFailed'>

export interface RoomListState extends RoomPages {
  search: RoomsSearch
  onSearch: ChangeSearch
  isNarrowed: boolean
  /** Leads to the first page. */
  filter: (change: RoomsFilterChange) => void
  resetFilter: () => void
}

/** The list of a search, kept live, and functions that change the search. */
export function useRoomList(search: RoomsSearch, onSearch: ChangeSearch): RoomListState {
  const pages = useRoomPages({ table: roomsTable, search, onSearch, queryOf: roomQueryOf })
  return {
    ...pages,
    search,
    onSearch,
    isNarrowed: isNarrowed(search),
    filter: (change) => {
      // Further typing adds no entry to the browser's history.
      const replace = ('q' in change && search.q !== undefined) || ('company' in change && search.company !== undefined)
      onSearch({ ...search, ...change, page: undefined }, { replace })
    },
    resetFilter: () => onSearch(withoutFilter(search)),
  }
}

interface RoomPagesOptions<Search> {
  /** The name under which rows per page and the last page are stored. */
  table: string
  search: Search
  onSearch: (search: Search, how?: { replace: boolean }) => void
  /** Must be stable. */
  queryOf: (search: Search) => RoomExportQuery
}

export interface RoomPages {
  /** The page that is asked for, or the previous one while it loads. */
  answer: RoomList | undefined
  rooms: readonly ProjectRoom[]
  query: RoomListQuery
  /** What `rooms` answer. */
  shown: RoomListQuery
  error: Error | null
  isFirstLoad: boolean
  /** Whether the shown page is not (yet) the one that is asked for. */
  isOutdated: boolean
  isWaiting: boolean
  refetch: () => void
  /** Undefined until the first answer. */
  pages: PagerProps | undefined
  sort: { by: RoomColumn; dir: 'asc' | 'desc' }
  onSort: (by: RoomColumn, dir: 'asc' | 'desc') => void
}

const noRooms: readonly ProjectRoom[] = []

/** The page of rooms that a search asks for, kept live, and functions that lead to other pages. */
export function useRoomPages<Search extends TableSearch>(options: RoomPagesOptions<Search>): RoomPages {
  const { table, search, onSearch, queryOf } = options
  const [remembered] = useState(() => rememberedPageSize(table, pageSizes, defaultPageSize))
  const query = useMemo(() => pageQueryOf(search, remembered, queryOf(search)), [queryOf, search, remembered])
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
  useStoredPage(table, query, isPlaceholderData || isPending ? undefined : data)
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

  const onPrefetch = useCallback(
    (to: number) => void queryClient.prefetchQuery(roomListQuery({ ...query, page: to - 1 }, table)),
    [queryClient, query, table],
  )
  const { column: by, dir } = sortOf(search)
  return {
    answer,
    rooms,
    query,
    shown,
    error: error ?? totals.error,
    isFirstLoad: isPending && error === null,
    isOutdated: isPlaceholderData,
    isWaiting: isFetching || totals.isFetching,
    refetch: useCallback(() => {
      void refetch()
      void queryClient.invalidateQueries({ queryKey: roomTotalsKey })
    }, [refetch, queryClient]),
    pages: answer && {
      page,
      size,
      sizes: pageSizes,
      totalElements: answer.totalElements,
      totalPages: answer.totalPages,
      isTotalLate: data?.totalElements === null,
      onPage: (to) => onSearch({ ...search, size, page: to }),
      onPrefetch,
      onSize: (to) => {
        rememberPageSize(table, to)
        onSearch({ ...search, size: to, page: undefined })
      },
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
