import { connect, type Server } from '#connection/connect.ts'
import { deletedRooms, purgedRooms } from '#rooms/deleted/deleted-rooms.ts'
import type { NameKind } from './candidates.ts'

/** A user does not wait longer for a completion. */
const seconds = 2
const mostNames = 100

/** Names that begin with what was typed. None if the server does not answer soon or the user is not signed in. */
export async function namesOnServer(kind: NameKind, typed: string): Promise<string[]> {
  try {
    return await namesOf(kind, typed, (await connect()).within(AbortSignal.timeout(seconds * 1000)))
  } catch {
    return []
  }
}

async function namesOf(kind: NameKind, typed: string, server: Server): Promise<string[]> {
  switch (kind) {
    case 'region':
      return (await server.call('regions', {})).body.map(({ regionName }) => regionName)
    case 'deleted':
      return namesIn(deletedRooms(server, typed, mostNames))
    case 'purged':
      return namesIn(purgedRooms(server, typed, mostNames))
    case 'room':
      return roomNames(server, typed)
  }
}

/** Each once: several deleted rooms may have had the same name. */
async function namesIn(rooms: AsyncIterable<{ projectRoomName: string }>): Promise<string[]> {
  const names = new Set<string>()
  for await (const { projectRoomName } of rooms) names.add(projectRoomName)
  return [...names]
}

async function roomNames(server: Server, typed: string): Promise<string[]> {
  const begun = { filter_keys: ['tenantName'], filter_conditions: ['STARTS_WITH'], filter_values: [typed] }
  const { body } = await server.call('listRooms', {
    query: { order_dir: 'asc', size: mostNames, totals: 'if-quick', ...(typed === '' ? {} : begun) },
  })
  return body.data.map(({ tenantName }) => tenantName)
}
