/** The last page of the room list is kept in local storage, so that the next visit shows something at once. */
import { type RoomList, type RoomListQuery, roomList } from '@roomkeeper/contract'
import { useEffect } from 'react'
import { z } from 'zod'
import { storedList, storeList } from '#api/stored-lists.ts'
import { readToken } from '#api/token.ts'

const storeMilliseconds = 300
let storeTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Stores the page in the API's format, which the contract's schema can read again.
 * @param list undefined until the page has been fetched
 */
export function useStoredPage(table: string, query: RoomListQuery, list: RoomList | undefined): void {
  useEffect(() => {
    if (list !== undefined) storePage(table, query, list)
  }, [table, query, list])
}

function storePage(table: string, query: RoomListQuery, list: RoomList): void {
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

export function readStoredPage(table: string, query: RoomListQuery): RoomList | undefined {
  const stored = storedList(table, JSON.stringify(query))
  return stored === undefined ? undefined : z.safeDecode(roomList, stored as never).data
}
