/**
 * Replaces a database with a backup of it, or brings a deleted database back. The region restores it completely or not
 * at all.
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation, TookEffect } from '#operations/index.ts'
import { resultOfJob, runRegionJob, stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { storedSource } from '../steps/files-of-regions.ts'
import { unchangedRoom } from '../steps/outcomes.ts'
import { type RoomCall, targetOf } from '../steps/room-call.ts'

const backup = z.object({ id: z.string(), storeKey: z.string(), size: z.int(), sha256: z.string() })
/** `sealed.password` protects the .adb. */
const input = z.object({ database: z.string(), backup, sealed: z.object({ password: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'restore'

export const restoreDatabase = operation<Input>({
  kind: 'database.restore',
  version: 1,
  process: 'Restore DB',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'send-backup', title: 'send the backup to the region', run: sendBackup, undo: noUndo },
    {
      id: 'restore-database',
      title: 'restore the database on the region',
      run: restoreOnRegion,
      undo: stopRestore,
      pointOfNoReturn: true,
    },
  ],
  ...unchangedRoom,
})

async function sendBackup(call: RoomCall<Input>): Promise<void> {
  const { region } = await targetOf(call)
  const { backup } = call.input
  await region.putFile(fileOf(call), storedSource(call.services.files, backup), call.mark)
  await call.log([because('log-bytes-sent', { bytes: backup.size })])
}

async function restoreOnRegion(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const { database, sealed } = call.input
  const password = call.services.secrets.open(sealed.password).reveal()
  const own = { room: room.name, roomId: room.id }
  await runRegionJob(call, region, { type: 'restoreDatabase', ...own, database, file: fileOf(call), password }, jobName)
}

/** Cannot bring back the replaced content: the region does not keep it. */
async function stopRestore(call: RoomCall<Input>): Promise<void> {
  const { region } = await targetOf(call)
  await tryOnRegion(call, async () => {
    if (!(await stopRegionJob(call, region, jobName))) return
    const isDone = (await resultOfJob(call, region, jobName)) !== null
    throw new TookEffect(isDone ? because('database-restored-after-all') : because('database-perhaps-restored'))
  })
}

function fileOf(call: RoomCall<Input>): string {
  return `${call.input.backup.id}.adb`
}
