/** All project rooms that match, one page in memory at a time. */
import type { ProjectRoom, RoomField } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { rowsOfPages, rowsPerPage } from '#output/pages.ts'
import type { RoomQuery } from './query-options.ts'

export interface RoomOrder {
  field: RoomField
  direction: 'asc' | 'desc'
}

interface ListedRooms {
  query: RoomQuery
  order: RoomOrder
  limit?: number | undefined
}

export function listedRooms(server: Server, list: ListedRooms): AsyncGenerator<ProjectRoom> {
  return list.order.field === 'tenantName' ? byName(server, list) : byPages(server, list)
}

/**
 * Each page begins after the last name of the one before: a room that is created or deleted meanwhile makes no other
 * room come twice or be left out.
 */
async function* byName(server: Server, { query, order, limit = Number.POSITIVE_INFINITY }: ListedRooms) {
  let left = limit
  for (let last: string | null = null; left > 0; ) {
    const size = Math.min(left, rowsPerPage)
    const page: ProjectRoom[] = await readPage(
      server,
      last === null ? query : after(query, order, last),
      order,
      0,
      size,
    )
    yield* page
    left -= page.length
    last = page.at(-1)?.tenantName ?? null
    if (page.length < size) return
  }
}

function after(query: RoomQuery, { direction }: RoomOrder, name: string): RoomQuery {
  return {
    ...query,
    filter_keys: [...query.filter_keys, 'tenantName'],
    filter_conditions: [...query.filter_conditions, direction === 'asc' ? 'GT' : 'LT'],
    filter_values: [...query.filter_values, name],
  }
}

function byPages(server: Server, { query, order, limit }: ListedRooms) {
  return rowsOfPages(async (page, size) => {
    const data = await readPage(server, query, order, page, size)
    return { data, totalPages: data.length < size ? page + 1 : page + 2 }
  }, limit)
}

async function readPage(server: Server, query: RoomQuery, order: RoomOrder, page: number, size: number) {
  const sorted = { order_by: order.field, order_dir: order.direction }
  // No caller needs their number, and counting may take longer than reading.
  const { body } = await server.call('listRooms', { query: { ...query, ...sorted, page, size, totals: 'if-quick' } })
  return body.data
}
