import type { ProjectRoom, RoomExportQuery, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { apiQuery } from '#api/queries.ts'
import { readStoredPage } from './stored-page.ts'

/** The begin of the keys of all pages. */
export const roomListsKey = ['rooms', 'list'] as const

export function roomListKey(query: RoomListQuery) {
  return [...roomListsKey, query] as const
}

export function withRow(list: RoomList | undefined, room: ProjectRoom): RoomList | undefined {
  return list && { ...list, data: list.data.map((each) => (each.tenantName === room.tenantName ? room : each)) }
}

/** @param table the name under which the page is stored */
export function roomListQuery(query: RoomListQuery, table: string) {
  return queryOptions({
    ...apiQuery(roomListKey(query), 'listRooms', { query }),
    initialData: () => readStoredPage(table, query),
    initialDataUpdatedAt: 0,
  })
}

export const roomTotalsKey = ['rooms', 'totals'] as const

/** The totals of pages that come without them. All pages and orders of a search share them. */
export function roomTotalsQuery(query: RoomListQuery) {
  const narrowing = { ...query, page: 0, size: 1, order_by: 'tenantName', order_dir: 'asc', totals: 'only' } as const
  const key = [...roomTotalsKey, narrowing]
  return { ...apiQuery(key, 'listRooms', { query: narrowing }, { background: 'refetch' }), staleTime: 10_000 }
}

export const failedRoomsKey = [...roomTotalsKey, 'failed'] as const

/** How many of the matching rooms are in error, for each cause. Counted again with the totals. */
export function failedRoomsQuery(matching: RoomExportQuery) {
  const query = { ...matching, order_by: 'tenantName', order_dir: 'asc' } as const
  return apiQuery([...failedRoomsKey, query], 'failedRooms', { query }, { background: 'refetch' })
}
