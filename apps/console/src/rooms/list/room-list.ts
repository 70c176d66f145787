/** A page of the room list, fetched and kept in local storage, so that the next visit shows something at once. */
import { type RoomList, type RoomListQuery, roomList } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { client, inBackground } from '#api/client.ts'
import { storedList, storeList } from '#api/stored-lists.ts'
import { readToken } from '#api/token.ts'

const storeMilliseconds = 300
let storeTimer: ReturnType<typeof setTimeout> | undefined

export function roomListKey(query: RoomListQuery) {
  return ['rooms', 'list', query] as const
}

/** @param table under whose name the page is kept */
export function roomListQuery(query: RoomListQuery, table: string) {
  return queryOptions({
    queryKey: roomListKey(query),
    queryFn: async ({ signal }) => keep(table, query, (await client.call('listRooms', { query, signal })).body),
    initialData: () => kept(table, query),
    initialDataUpdatedAt: 0,
    staleTime: 0,
  })
}

/** The same page, asked for by the console itself. */
export async function fetchRoomListInBackground(query: RoomListQuery, table: string): Promise<RoomList> {
  return keep(table, query, (await client.call('listRooms', { query, headers: inBackground })).body)
}

/** In the form of the wire, which says how to read it again. */
function keep(table: string, query: RoomListQuery, list: RoomList): RoomList {
  const token = readToken()
  const store = () => {
    // Not into the storage of another session, which was cleared in between.
    if (readToken() === token) storeList(table, JSON.stringify(query), z.encode(roomList, list))
  }
  // After the rows have been drawn, and only those at which the operator stays.
  clearTimeout(storeTimer)
  storeTimer = setTimeout(store, storeMilliseconds)
  return list
}

function kept(table: string, query: RoomListQuery): RoomList | undefined {
  const stored = storedList(table, JSON.stringify(query))
  return stored === undefined ? undefined : z.safeDecode(roomList, stored as never).data
}
