import { useThrottledCallback } from '@mantine/hooks'
import { ProblemError, type ProjectRoom, type RoomList, type RoomListQuery } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { fetchInto, useFollowUp } from '#api/follow-up.ts'
import { fetchChangedRoom } from '../queries.ts'
import { roomListKey, roomTotalsKey, withRow } from './queries.ts'

const rowMilliseconds = 400
const pageMilliseconds = 1_000
/** The longest pause between two fetches of a page that keeps changing, and the shortest for rooms that are not shown. */
const calmMilliseconds = 10_000
/** If more rows than this have changed at once, the page is fetched instead of single rows. */
const maxSingleRows = 10

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
    if (names.has(wholePage) || names.size > maxSingleRows) return fetchPage()
    try {
      for (const name of names) await fetchRow(name)
      return rowMilliseconds
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) return fetchPage()
      throw error
    }
  }
}
