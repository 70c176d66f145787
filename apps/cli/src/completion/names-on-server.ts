import { connect, type Server } from '#connection/connect.ts'
import { readLogins } from '#connection/stored-login.ts'
import { deletedRooms, purgedRooms } from '#rooms/deleted/deleted-rooms.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { NameKind } from './candidates.ts'

/** A user does not wait longer for a completion. */
const seconds = 2
const mostNames = 100

/** @returns names that begin with what was typed; none if the server does not answer soon or the user is not signed in */
export async function namesFor(
  terminal: Terminal,
  profile: string | undefined,
  kind: NameKind,
  typed: string,
): Promise<string[]> {
  try {
    if (kind === 'profile') return Object.keys((await readLogins(terminal)).profiles)
    return await namesOf(kind, typed, (await connect(terminal, profile)).within(AbortSignal.timeout(seconds * 1000)))
  } catch {
    return []
  }
}

async function namesOf(kind: Exclude<NameKind, 'profile'>, typed: string, server: Server): Promise<string[]> {
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

/** @returns each name once: several deleted rooms may have had it */
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
