import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import type { DeletedSearch } from './deleted-search.ts'

type Wanted = Pick<DeletedSearch, 'page' | 'search'> & { size: number }

/** A page of deleted rooms, and how long they are kept. */
export function deletedRoomsQuery({ page = 1, size, search = '' }: Wanted) {
  const query = { page: page - 1, size, search }
  return queryOptions({
    queryKey: ['deleted-rooms', 'kept', query],
    queryFn: async ({ signal }) => (await client.call('deletedRooms', { query, headers: inBackground, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** A page of rooms that have left only a certificate. */
export function purgedRoomsQuery({ page = 1, size, search = '' }: Wanted) {
  const query = { page: page - 1, size, search }
  return queryOptions({
    queryKey: ['deleted-rooms', 'purged', query],
    queryFn: async ({ signal }) => (await client.call('purgedRooms', { query, headers: inBackground, signal })).body,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
