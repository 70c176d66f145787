/** Removes a room from its region, if the region has one of that name that is ours. */
import type { RegionClient } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import type { StoredRoom } from '../../stored-room.ts'

/** @returns whether there was something to remove; a room of the same name that is not ours stays untouched */
export async function deleteOurs(
  call: Pick<StepCall<unknown, unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>,
  region: RegionClient,
  room: StoredRoom,
): Promise<boolean> {
  const found = await region.room(room.name)
  // A deletion that was cut off half-way is not listed any more, but finished by the job.
  if (found !== null && found.roomId !== room.id) return false
  const { existed } = await runRegionJob(call, region, { type: 'deleteRoom', room: room.name, roomId: room.id })
  return existed
}
