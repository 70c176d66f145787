import { useThrottledCallback } from '@mantine/hooks'
import { ProblemError, type ProjectRoom, type RoomList, type RoomListQuery } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { fetchChangedRoom } from '../queries.ts'
import { fetchRoomListInBackground, roomListKey } from './room-list.ts'

const rowMilliseconds = 400
const listMilliseconds = 10_000
/** When more rows than this have changed at once, the page is fetched instead of the rows. */
const mostSingleRows = 10

/**
 * Keeps the visible rows as they are on the server: a row that changed is fetched again; the page itself only
 * when rooms came, went or changed their place, and not more often than every 10 s.
 * @param query must stay the same object while it means the same.
 * @param table under whose name the page is kept
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
    // What cannot be fetched now is fetched with the next event or poll.
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
