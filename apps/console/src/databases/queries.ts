import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { headersOfRefetch } from '#api/queries.ts'

/** The databases of a room, fetched again when an operation of the room starts or ends. */
export function databasesQuery({ tenantName, runningOperation }: ProjectRoom) {
  return queryOptions({
    queryKey: ['rooms', 'databases', tenantName, runningOperation?.operationId ?? null],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const headers = headersOfRefetch(cache, queryKey)
      return (await client.call('databases', { query: { projectRoom: tenantName }, headers, signal })).body
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
