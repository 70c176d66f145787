/** Deletes a room from its region if the room of that name there is the console's. */
import type { RegionClient } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import type { RoomOfSteps } from '../../stored-room.ts'

/** @returns whether the region had the room; a different room of the same name stays untouched */
export async function deleteOwnRoom(
  call: Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>,
  region: RegionClient,
  room: RoomOfSteps,
  jobName: string,
): Promise<boolean> {
  const found = await region.room(room.name)
  // The region no longer lists a room whose deletion was interrupted, but the job completes that deletion.
  if (found !== null && found.roomId !== room.id) return false
  const job = { type: 'deleteRoom', room: room.name, roomId: room.id } as const
  const { existed } = await runRegionJob(call, region, job, jobName)
  return existed
}
