import type { ProjectRoom } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '#api/client.ts'
import { listQueryOf } from '#rooms/list/search.ts'

const mostRooms = 6

/** The first rooms that a text finds, by name, customer or e-mail. */
export function foundRoomsQuery(text: string) {
  const query = { ...listQueryOf({ q: text, sort: 'tenantName', dir: 'asc' }, mostRooms), size: mostRooms }
  return queryOptions({
    queryKey: ['rooms', 'found', text],
    queryFn: async ({ signal }): Promise<readonly ProjectRoom[]> =>
      (await client.call('listRooms', { query, signal })).body.data,
  })
}
