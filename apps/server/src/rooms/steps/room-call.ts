/** A step's call for a room: which room it is, and the connection to its region. */
import type { RegionClient } from '@roomkeeper/region-protocol'
import { type StepCall, StepFailed } from '#operations/index.ts'
import { stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { findStoredRoom, type StoredRoom } from '../stored-room.ts'
import type { RoomServices } from './room-services.ts'

export type RoomCall<Input = unknown> = StepCall<Input, RoomServices>

interface RoomTarget {
  roomId: string
  room: StoredRoom
  region: RegionClient
}

export async function targetOf(call: RoomCall): Promise<RoomTarget> {
  const roomId = roomIdOf(call)
  const room = await findStoredRoom(call.services.db, roomId)
  return { roomId, room, region: await call.services.connectRegion(room.regionId, call.signal) }
}

/** An undo for steps that do nothing but run a region's job of this name, which leaves the room as it is. */
export function stopJob(name: string) {
  return async (call: RoomCall): Promise<void> => {
    const { region } = await targetOf(call)
    await tryOnRegion(call, async () => void (await stopRegionJob(call, region, name)))
  }
}

export function roomIdOf(call: Pick<RoomCall, 'roomId'>): string {
  if (call.roomId === null) throw new StepFailed('The operation has no project room.')
  return call.roomId
}
