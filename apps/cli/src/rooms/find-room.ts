import type { ProjectRoom } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'

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
