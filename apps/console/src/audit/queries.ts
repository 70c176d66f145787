import type { AuditQuery, ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { headersOfRefetch } from '#api/query-client.ts'

export const historySize = 20

/** A page of what was done with a room, newest first; asked for anew with each change of the room. @param page from 0 */
export function roomHistoryQuery(
  { tenantName, version, runningOperation, projectRoomState }: ProjectRoom,
  page: number,
) {
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  return queryOptions({
    queryKey: ['rooms', 'history', tenantName, page, occasion],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const query = { projectRoom: tenantName, page, size: historySize }
      return (await client.call('roomHistory', { query, headers: headersOfRefetch(cache, queryKey), signal })).body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** A page of the whole trail, newest first. */
export function auditQuery(query: AuditQuery) {
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: async ({ signal }) => (await client.call('audit', { query, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
