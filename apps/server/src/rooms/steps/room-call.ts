/** The call of a step that works on a room: finds the room and connects to its region. */
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { type StepCall, StepFailed } from '#operations/index.ts'
import { stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { findRoomOfSteps, type RoomOfSteps } from '../stored-room.ts'

export type RoomCall<Input = unknown> = StepCall<Input>

interface RoomTarget {
  roomId: string
  room: RoomOfSteps
  region: RegionClient
}

export async function targetOf(call: RoomCall): Promise<RoomTarget> {
  const roomId = roomIdOf(call)
  const room = await findRoomOfSteps(call.services.db, roomId)
  return { roomId, room, region: await call.services.connectRegion(room.regionId, call.signal) }
}

/** The undo of a step that only runs the region job of this name, if that job does not change the room. */
export function stopJob(name: string) {
  return async (call: RoomCall): Promise<void> => {
    const { region } = await targetOf(call)
    await tryOnRegion(call, async () => void (await stopRegionJob(call, region, name)))
  }
}

export function roomIdOf(call: Pick<RoomCall, 'roomId'>): string {
  if (call.roomId === null) throw new StepFailed(because('operation-without-room'))
  return call.roomId
}
