/** Deleted and purged project rooms, one page in memory at a time, and one of them by its name or id. */
import type { DeletedRoom, PurgedRoom } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { rowsOfPages } from '#output/pages.ts'
import { timeText } from '#output/view.ts'

export function deletedRooms(server: Server, search: string, limit?: number): AsyncGenerator<DeletedRoom> {
  return rowsOfPages(
    async (page, size) => (await server.call('deletedRooms', { query: { page, size, search } })).body,
    limit,
  )
}

export function purgedRooms(server: Server, search: string, limit?: number): AsyncGenerator<PurgedRoom> {
  return rowsOfPages(
    async (page, size) => (await server.call('purgedRooms', { query: { page, size, search } })).body,
    limit,
  )
}

/** @param given its name or its id @throws Failure */
export function findDeletedRoom(server: Server, given: string): Promise<DeletedRoom> {
  const line = ({ id, deletedAt }: DeletedRoom) => `${id}  deleted ${timeText(deletedAt)}`
  return findOne(given, (search) => deletedRooms(server, search), { what: 'deleted', line })
}

/** @param given its name or its id @throws Failure */
export function findPurgedRoom(server: Server, given: string): Promise<PurgedRoom> {
  const line = ({ id, purgedAt }: PurgedRoom) => `${id}  purged ${timeText(purgedAt)}`
  return findOne(given, (search) => purgedRooms(server, search), { what: 'purged', line })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The server searches for no longer texts. */
const longestSearch = 64

interface Kind<Row> {
  what: 'deleted' | 'purged'
  /** Tells it from others that had the same name. */
  line(row: Row): string
}

async function findOne<Row extends { id: string; projectRoomName: string }>(
  given: string,
  rowsWith: (search: string) => AsyncIterable<Row>,
  { what, line }: Kind<Row>,
): Promise<Row> {
  const isId = uuid.test(given)
  const found: Row[] = []
  // The server does not search for ids.
  for await (const row of rowsWith(isId ? '' : given.slice(0, longestSearch))) {
    if (isId && row.id === given.toLowerCase()) return row
    if (!isId && row.projectRoomName === given) found.push(row)
  }
  const [only, ...others] = found
  if (only === undefined)
    throw new Failure('refused', `There is no ${what} project room ${given}.`, {
      hints: [`roomkeeper rooms deleted list${what === 'purged' ? ' --purged' : ''}`],
    })
  if (others.length === 0) return only
  throw usageFailure(`Several ${what} project rooms had the name ${given}. Please give an id:`, ...found.map(line))
}
