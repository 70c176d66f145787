/**
 * Backs up one database: the region exports it, protected by a password that the console generated. The console stores
 * the .adb and reads it back.
 */
import { z } from 'zod'
import { forgetDatabaseBackup, recordDatabaseBackup } from '#backups/index.ts'
import { operation, step } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { keyPerAttempt } from '../steps/backup-keys.ts'
import { type RegionFileMade, regionFile } from '../steps/files-of-regions.ts'
import { unchangedRoom } from '../steps/outcomes.ts'
import { type RoomCall, stopJob, targetOf } from '../steps/room-call.ts'
import { fetchedFile, fetchIntoStore, readBackAt, readBackStepOf } from '../steps/store-and-read-back.ts'

/** `sealed.password` protects the .adb. */
const input = z.object({ database: z.string(), sealed: z.object({ password: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'backup'
const exportDatabase = step({
  id: 'export-database',
  title: 'export the database on the region',
  output: regionFile,
  run: exportOnRegion,
  undo: stopJob(jobName),
})
const keysOf = keyPerAttempt<Input>(firstKey)

export const backupDatabase = operation<Input>({
  kind: 'database.backup',
  version: 1,
  process: 'Backup DB',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    exportDatabase,
    fetchIntoStore(exportDatabase, keysOf),
    readBackStepOf(keysOf),
    { id: 'record-backup', title: 'record the backup', run: record, undo: forget },
  ],
  ...unchangedRoom,
})

async function exportOnRegion(call: RoomCall<Input>): Promise<RegionFileMade> {
  const { room, region } = await targetOf(call)
  const { database, sealed } = call.input
  const password = call.services.secrets.open(sealed.password).reveal()
  const job = { type: 'backupDatabase', room: room.name, roomId: room.id, database, password } as const
  return runRegionJob(call, region, job, jobName)
}

async function record(call: RoomCall<Input>): Promise<void> {
  const { room } = await targetOf(call)
  const [storeKey] = keysOf(call)
  const { size, sha256 } = fetchedFile(call)
  const { database: databaseName, sealed } = call.input
  const kept = { databaseName, storeKey, size, sha256, readBackAt: readBackAt(call), sealedPassword: sealed.password }
  await call.transaction((tx) => recordDatabaseBackup(tx, { ...kept, id: call.id, roomId: room.id }))
}

async function forget(call: RoomCall): Promise<void> {
  await call.transaction((tx) => forgetDatabaseBackup(tx, call.id))
}

function firstKey(call: RoomCall): string {
  return `databases/${call.roomId}/${call.id}.adb`
}
