/** Deletes one database of a room with everything in it. */
import { z } from 'zod'
import { nothing, operation } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { type RoomCall, targetOf } from '../operations/room-call.ts'
import type { RoomServices } from '../operations/room-services.ts'
import { unchangedRoom } from '../operations/unchanged-room.ts'

const input = z.object({ database: z.string() })
type Input = z.infer<typeof input>

export const deleteDatabase = operation<Input, RoomServices>({
  kind: 'database.delete',
  version: 1,
  process: 'Delete DB',
  input,
  takesPlace: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [{ name: 'delete the database on the region', run: deleteOnRegion, undo: nothing, pointOfNoReturn: true }],
  ...unchangedRoom,
})

async function deleteOnRegion(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const job = { type: 'deleteDatabase', room: room.name, roomId: room.id, database: call.input.database } as const
  const { existed } = await runRegionJob(call, region, job)
  await call.log(existed ? 'deleted' : 'the region does not have it (any more)')
}
