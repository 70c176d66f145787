/** A page of the room list, fetched, and kept in local storage so that the next visit shows something at once. */

import { useThrottledCallback } from '@mantine/hooks'
import { ProblemError, type ProjectRoom, type RoomList, type RoomListQuery, roomList } from '@roomkeeper/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { z } from 'zod'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
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
    queryFn: async ({ signal }) => keep(table, query, (await client.call('listRooms', { query, signal })).body),
    initialData: () => kept(table, query),
    initialDataUpdatedAt: 0,
    staleTime: 0,
  })
}

/** The same page, fetched in the background. */
async function fetchRoomListInBackground(query: RoomListQuery, table: string): Promise<RoomList> {
  return keep(table, query, (await client.call('listRooms', { query, headers: inBackground })).body)
}

/** Stores the page in the form of the wire, which the contract's schema can read again. */
function keep(table: string, query: RoomListQuery, list: RoomList): RoomList {
  const token = readToken()
  const store = () => {
    // A list of another session must not be stored: storage was cleared when the session ended.
    if (readToken() === token) storeList(table, JSON.stringify(query), z.encode(roomList, list))
  }
  // Store after the rows have been rendered, and only pages on which the operator stays.
  clearTimeout(storeTimer)
  storeTimer = setTimeout(store, storeMilliseconds)
  return list
}

function kept(table: string, query: RoomListQuery): RoomList | undefined {
  const stored = storedList(table, JSON.stringify(query))
  return stored === undefined ? undefined : z.safeDecode(roomList, stored as never).data
}

const rowMilliseconds = 400
const listMilliseconds = 10_000
/** If more rows than this have changed at once, the page is fetched instead of single rows. */
const mostSingleRows = 10

/**
 * Keeps the visible rows up to date. A row that changed is fetched again; the page only when rooms were added, removed
 * or moved within the list, and at most every 10 s.
 * @param query must be the same object as long as it means the same
 * @param table the name under which the page is stored
 */
export function useLiveRows(query: RoomListQuery, table: string, rooms: readonly ProjectRoom[]): void {
  const { changeRow, refetchPage, refetchPageSoon } = useBackgroundFetches(query, table)
  const changed = useRef(new Set<string>())
  const fetchChanged = useThrottledCallback(() => {
    const names = [...changed.current]
    changed.current.clear()
    if (names.length > mostSingleRows) return refetchPage()
    for (const name of names) void changeRow(name)
  }, rowMilliseconds)

  useLiveEvents((event) => {
    if (event.type === 'reset') return refetchPage()
    if (event.type !== 'room' && event.type !== 'operation') return
    const isVisible = rooms.some((room) => room.tenantName === event.room)
    if (isVisible && event.type === 'room' && event.gone) return refetchPage()
    if (!isVisible) {
      if (event.type === 'room') refetchPageSoon()
      return
    }
    changed.current.add(event.room)
    fetchChanged()
  })

  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(refetchPage, pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval, refetchPage])
}

function useBackgroundFetches(query: RoomListQuery, table: string) {
  const queryClient = useQueryClient()
  const refetchPage = useCallback(() => {
    // A failed fetch is repeated with the next event or poll.
    fetchRoomListInBackground(query, table).then(
      (list) => queryClient.setQueryData(roomListKey(query), list),
      () => undefined,
    )
  }, [queryClient, query, table])
  const refetchPageSoon = useThrottledCallback(refetchPage, listMilliseconds)
  const changeRow = async (name: string) => {
    const key = roomListKey(query)
    try {
      const room = await fetchChangedRoom(name)
      const before = queryClient.getQueryData<RoomList>(key)?.data.find((each) => each.tenantName === name)
      queryClient.setQueryData<RoomList>(key, (list) => list && withRow(list, room))
      if (before?.projectRoomState !== room.projectRoomState) refetchPageSoon()
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) refetchPage()
    }
  }
  return { changeRow, refetchPage, refetchPageSoon }
}

function withRow(list: RoomList, room: ProjectRoom): RoomList {
  return { ...list, data: list.data.map((each) => (each.tenantName === room.tenantName ? room : each)) }
}
