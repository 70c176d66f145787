import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { headersOfRefetch } from '#api/query-client.ts'

/** The backups of a room, newest first; asked for anew when an operation of the room begins or ends. */
export function backupsQuery({ tenantName, runningOperation }: ProjectRoom) {
  return queryOptions({
    queryKey: ['rooms', 'backups', tenantName, runningOperation?.operationId ?? null],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const headers = headersOfRefetch(cache, queryKey)
      return (await client.call('roomBackups', { query: { projectRoom: tenantName }, headers, signal })).body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export const removedSize = 20

/** The backups of rooms that were removed with their region. @param page from 0 */
export function removedBackupsQuery(page: number) {
  return queryOptions({
    queryKey: ['rooms', 'backups', 'of removed rooms', page],
    queryFn: async ({ signal }) =>
      (await client.call('removedRoomBackups', { query: { page, size: removedSize }, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
