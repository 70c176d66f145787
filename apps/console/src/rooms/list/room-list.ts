/** A page of the room list, fetched, and kept in local storage so that the next visit shows something at once. */

import { useThrottledCallback } from '@mantine/hooks'
import { ProblemError, type ProjectRoom, type RoomList, type RoomListQuery, roomList } from '@roomkeeper/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { z } from 'zod'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { fetchInto, useFollowUp } from '#api/follow-up.ts'
import { storedList, storeList } from '#api/stored-lists.ts'
import { readToken } from '#api/token.ts'
import { fetchChangedRoom } from '../queries.ts'

const storeMilliseconds = 300
let storeTimer: ReturnType<typeof setTimeout> | undefined

function roomListKey(query: RoomListQuery) {
  return ['rooms', 'list', query] as const
}

/** @param table the name under which the page is stored */
export function roomListQuery(query: RoomListQuery, table: string) {
  return queryOptions({
    queryKey: roomListKey(query),
    queryFn: async ({ signal }) => (await client.call('listRooms', { query, signal })).body,
    initialData: () => kept(table, query),
    initialDataUpdatedAt: 0,
    staleTime: 0,
  })
}

export const roomTotalsKey = ['rooms', 'totals'] as const

/** The totals of pages that come without them. All pages and orders of a search share them. */
export function roomTotalsQuery(query: RoomListQuery) {
  const narrowing = { ...query, page: 0, size: 1, order_by: 'tenantName', order_dir: 'asc', totals: 'only' } as const
  return queryOptions({
    queryKey: [...roomTotalsKey, narrowing],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('listRooms', { query: narrowing, headers, signal })).body
    },
  })
}

/**
 * Stores the page in the form of the wire, which the contract's schema can read again.
 * @param list undefined until the page has been fetched
 */
export function useKept(table: string, query: RoomListQuery, list: RoomList | undefined): void {
  useEffect(() => {
    if (list !== undefined) keep(table, query, list)
  }, [table, query, list])
}

function keep(table: string, query: RoomListQuery, list: RoomList): void {
  const token = readToken()
  const store = () => {
    // A list of another session must not be stored: storage was cleared when the session ended.
    // What only a newer server knows is not kept for the next visit.
    const wire = z.safeEncode(roomList, list)
    if (readToken() === token && wire.success) storeList(table, JSON.stringify(query), wire.data)
  }
  // Store after the rows have been rendered, and only pages on which the operator stays.
  clearTimeout(storeTimer)
  storeTimer = setTimeout(store, storeMilliseconds)
}

function kept(table: string, query: RoomListQuery): RoomList | undefined {
  const stored = storedList(table, JSON.stringify(query))
  return stored === undefined ? undefined : z.safeDecode(roomList, stored as never).data
}

const rowMilliseconds = 400
const pageMilliseconds = 1_000
/** While the page keeps changing, the rests grow up to this one; a page for other rooms is not fetched more often. */
const calmMilliseconds = 10_000
/** If more rows than this have changed at once, the page is fetched instead of single rows. */
const mostSingleRows = 10

/** In place of a room's name: the page has changed, because rooms were added, removed or moved. */
const wholePage = ''

/**
 * Keeps the visible rows up to date. A row that changed is fetched again; the page only when rooms were added, removed
 * or moved within the list. One request at a time; failed ones are repeated.
 * @param query must be the same object as long as it means the same
 */
export function useLiveRows(query: RoomListQuery, rooms: readonly ProjectRoom[]): void {
  const note = useFollowUp(useFetchChanged(query, () => notePageSoon()))
  const notePage = useCallback(() => note(wholePage), [note])
  const notePageSoon = useThrottledCallback(notePage, calmMilliseconds)

  useLiveEvents((event) => {
    if (event.type === 'reset') return notePage()
    if (event.type === 'region') return notePageSoon()
    if (event.type !== 'room' && event.type !== 'operation') return
    const isVisible = rooms.some((room) => room.tenantName === event.room)
    if (isVisible) note(event.type === 'room' && event.gone ? wholePage : event.room)
    else if (event.type === 'room') notePageSoon()
  })

  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(notePage, pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval, notePage])
}

/**
 * @param onMoved called when a row has another state, so that it may belong elsewhere in the list
 * @returns a function that fetches changed rows, or the page, and says how long to rest afterwards
 */
function useFetchChanged(query: RoomListQuery, onMoved: () => void) {
  const queryClient = useQueryClient()
  const rest = useRef({ milliseconds: pageMilliseconds, until: 0 })
  const key = roomListKey(query)
  const fetchPage = async () => {
    const fetchIt = async () => (await client.call('listRooms', { query, headers: inBackground })).body
    await fetchInto<RoomList, RoomList>(queryClient, key, fetchIt, (_, list) => list)
    void queryClient.invalidateQueries({ queryKey: roomTotalsKey })
    const now = performance.now()
    const { milliseconds, until } = rest.current
    const next = now < until ? Math.min(2 * milliseconds, calmMilliseconds) : pageMilliseconds
    rest.current = { milliseconds: next, until: now + 2 * next }
    return next
  }
  const fetchRow = async (name: string) => {
    const rowIn = (list: RoomList | undefined) => list?.data.find((each) => each.tenantName === name)
    const before = rowIn(queryClient.getQueryData(key))
    if (before === undefined) return
    const room = await fetchInto(queryClient, key, () => fetchChangedRoom(name), withRow)
    if (before.projectRoomState !== room.projectRoomState) onMoved()
  }
  return async (names: ReadonlySet<string>) => {
    if (names.has(wholePage) || names.size > mostSingleRows) return fetchPage()
    try {
      for (const name of names) await fetchRow(name)
      return rowMilliseconds
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) return fetchPage()
      throw error
    }
  }
}

function withRow(list: RoomList | undefined, room: ProjectRoom): RoomList | undefined {
  return list && { ...list, data: list.data.map((each) => (each.tenantName === room.tenantName ? room : each)) }
}
