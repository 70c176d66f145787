/** Finds project rooms by their names. */
import { type ProjectRoom, shortened } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { rowsPerPage } from '#output/pages.ts'

/** @throws Failure `room-unknown` */
export async function findRoom(server: Server, projectRoom: string): Promise<ProjectRoom> {
  return (await server.call('room', { query: { projectRoom } })).body
}

/** @returns null: there is none of this name */
export async function findRoomIfAny(server: Server, name: string): Promise<ProjectRoom | null> {
  return findRoom(server, name).catch((error: unknown) => {
    if (error instanceof Failure && error.details.code === 'room-unknown') return null
    throw error
  })
}

/** @returns by their names; those that do not exist are missing */
export async function roomsNamed(server: Server, names: readonly string[]): Promise<Map<string, ProjectRoom>> {
  const found = new Map<string, ProjectRoom>()
  for (let first = 0; first < names.length; first += rowsPerPage) {
    const some = names.slice(first, first + rowsPerPage)
    const { body } = await server.call('listRooms', {
      query: {
        size: rowsPerPage,
        totals: 'if-quick',
        filter_keys: ['tenantName'],
        filter_conditions: ['IN'],
        filter_values: [some.join('||')],
      },
    })
    for (const room of body.data) found.set(room.tenantName, room)
  }
  return found
}

const shownNames = 10

/** The server silently leaves out names that no project room has. @throws Failure */
export async function refuseMissing(server: Server, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const found = await roomsNamed(server, names)
  const missing = names.filter((name) => !found.has(name))
  if (missing.length === 0) return
  const more = missing.length > shownNames ? `, and ${missing.length - shownNames} more` : ''
  throw new Failure(
    'refused',
    `There is no project room named ${missing.slice(0, shownNames).map(shortened).join(', ')}${more}.`,
  )
}
