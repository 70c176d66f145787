/** Deletes one database of a room with everything in it. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { operation, TookEffect } from '#operations/index.ts'
import { runRegionJob, stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { unchangedRoom } from '../steps/outcomes.ts'
import { type RoomCall, targetOf } from '../steps/room-call.ts'

const input = z.object({ database: z.string() })
type Input = z.infer<typeof input>
const jobName = 'delete-database'

export const deleteDatabase = operation<Input>({
  kind: 'database.delete',
  version: 1,
  process: 'Delete DB',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    {
      id: 'delete-database',
      title: 'delete the database on the region',
      run: deleteOnRegion,
      undo: stopDeletion,
      pointOfNoReturn: true,
    },
  ],
  ...unchangedRoom,
})

async function deleteOnRegion(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const job = { type: 'deleteDatabase', room: room.name, roomId: room.id, database: call.input.database } as const
  const { existed } = await runRegionJob(call, region, job, jobName)
  await call.log([because(existed ? 'log-deleted' : 'log-not-there')])
}

/** Stops the job, so that a late deletion cannot hit a database that was restored in the meantime. */
async function stopDeletion(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  await tryOnRegion(call, async () => {
    if (!(await stopRegionJob(call, region, jobName))) return
    const wanted = call.input.database.toLowerCase()
    const isThere = (await region.databases(room.name)).some(({ name }) => name.toLowerCase() === wanted)
    if (!isThere) throw new TookEffect(because('database-deleted-after-all'))
  })
}
