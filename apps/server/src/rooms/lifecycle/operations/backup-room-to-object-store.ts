/** D2O backup: the region writes directly to the configured object store and reads back what it wrote. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { operation, StepFailed, step } from '#operations/index.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { runRegionJob, stopRegionJob } from '#regions/index.ts'
import { keyPerAttempt } from '../../steps/backup-keys.ts'
import { busyRoomOutcome, unchangedRoom } from '../../steps/outcomes.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'

/** `key` is relative to the prefix of the configured store. */
const input = z.object({ key: z.string() })
type Input = z.infer<typeof input>
const jobName = 'backup-d2o'
const writeBackup = {
  id: 'write-backup',
  title: 'write the backup to the object store',
  output: z.object({ location: z.string(), size: z.int(), sha256: z.string(), readBackAt: z.string() }),
}
type WrittenBackup = z.infer<typeof writeBackup.output>

const keysOf = keyPerAttempt<Input>((call) => call.input.key)
const common = {
  process: 'Backup PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    step<Input, WrittenBackup>({ ...writeBackup, run: writeToObjectStore, undo: stopWriting }),
    { id: 'record-backup', title: 'record the backup', run: record, undo: forget },
  ],
} as const

export const backupRoomToObjectStore = operation<Input>({
  kind: 'room.backup-d2o',
  version: 1,
  ...common,
  ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
})
/** By a policy, of a running room, whose state does not change. */
export const backupRunningRoomToObjectStore = operation<Input>({
  kind: 'room.backup-scheduled-d2o',
  version: 1,
  ...common,
  ...unchangedRoom,
})

async function writeToObjectStore(call: RoomCall<Input>): Promise<WrittenBackup> {
  const { room, region } = await targetOf(call)
  const target = call.services.objectStore.configuredLocation(keysOf(call)[0])
  const job = { type: 'backupToObjectStore', room: room.name, roomId: room.id, target } as const
  const written = await runRegionJob(call, region, job, jobName)
  const location = `s3://${target.bucket}/${target.key}`
  // The recorded location must be ours, because the console deletes the objects of recorded backups.
  if (written.location !== location) throw new StepFailed(because('backup-elsewhere'))
  await call.log([because('log-written', { location, bytes: written.size, digest: written.sha256 })])
  return { ...written, readBackAt: await databaseTimestamp(call.services.db) }
}

/** An interrupted upload leaves nothing behind; a complete one is removed here. */
async function stopWriting(call: RoomCall<Input>): Promise<void> {
  const { objectStore } = call.services
  try {
    const { region } = await targetOf(call)
    await stopRegionJob(call, region, jobName)
  } finally {
    // Also when the region cannot be asked.
    for (const key of keysOf(call)) await objectStore.remove(objectStore.configuredLocation(key))
  }
}

async function record(call: RoomCall<Input>): Promise<void> {
  const { room } = await targetOf(call)
  const backup = {
    ...call.output(writeBackup),
    id: call.id,
    roomId: room.id,
    roomName: room.name,
    kind: 'd2o',
  } as const
  await call.transaction((tx) => recordRoomBackup(tx, backup))
}

async function forget(call: RoomCall): Promise<void> {
  await call.transaction((tx) => forgetRoomBackup(tx, call.id))
}
