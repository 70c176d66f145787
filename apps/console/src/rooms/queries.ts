import type { Overview } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'

/** Counts of all rooms; fetched whenever the customer panel opens. */
export const overviewQuery = queryOptions({
  queryKey: ['rooms', 'overview'],
  queryFn: async ({ signal }): Promise<Overview> => (await client.call('overview', { signal })).body,
  staleTime: 0,
})

/** One room, for its page; asked for again in the background whenever it has changed. */
export function roomQuery(name: string) {
  return queryOptions({
    queryKey: ['rooms', 'one', name],
    queryFn: async ({ signal, client: cache, queryKey }) => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('room', { query: { projectRoom: name }, headers, signal })).body
    },
    staleTime: 0,
  })
}

/** A room's licences and how many are used, as its region counts them now. */
export function roomLicencesQuery(name: string) {
  return queryOptions({
    queryKey: ['rooms', 'licences', name],
    queryFn: async ({ signal }) => (await client.call('roomLicences', { query: { projectRoom: name }, signal })).body,
    staleTime: 0,
  })
}

/** One room, asked for by the console itself because it has changed. */
export async function fetchChangedRoom(name: string) {
  return (await client.call('room', { query: { projectRoom: name }, headers: inBackground })).body
}
