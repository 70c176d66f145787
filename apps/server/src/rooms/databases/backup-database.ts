/** Backs one database up: the region exports it under a password of ours, the console keeps the .adb. */
import { z } from 'zod'
import { forgetDatabaseBackup, recordDatabaseBackup } from '#backups/index.ts'
import { operation } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { fetchFromRegion, regionFile } from '../operations/files-of-regions.ts'
import { type RoomCall, stopJob, targetOf } from '../operations/room-call.ts'
import type { RoomServices } from '../operations/room-services.ts'
import { unchangedRoom } from '../operations/unchanged-room.ts'

/** `sealed.password`: of the .adb. */
const input = z.object({ database: z.string(), sealed: z.object({ password: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'backup'
const exportStep = 'export the database on the region'
const fetchStep = 'bring the backup into the store'

export const backupDatabase = operation<Input, RoomServices>({
  kind: 'database.backup',
  version: 1,
  process: 'Backup DB',
  input,
  takesPlace: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { name: exportStep, run: exportOnRegion, undo: stopJob(jobName) },
    { name: fetchStep, run: fetchExport, undo: (call) => call.services.files.remove(keyOf(call)) },
    { name: 'record the backup', run: record, undo: (call) => forgetDatabaseBackup(call.services.db, call.id) },
  ],
  ...unchangedRoom,
})

async function exportOnRegion(call: RoomCall<Input>): Promise<unknown> {
  const { room, region } = await targetOf(call)
  const { database, sealed } = call.input
  const password = call.services.secrets.open(sealed.password).reveal()
  const job = { type: 'backupDatabase', room: room.name, roomId: room.id, database, password } as const
  return runRegionJob(call, region, job, jobName)
}

async function fetchExport(call: RoomCall): Promise<unknown> {
  const { region } = await targetOf(call)
  const made = regionFile.parse(call.output(exportStep))
  await fetchFromRegion(call, region, made, keyOf(call))
  await call.log(`${made.size} bytes, SHA-256 ${made.sha256}`)
  return made
}

async function record(call: RoomCall<Input>): Promise<void> {
  const { room } = await targetOf(call)
  const { size, sha256 } = regionFile.parse(call.output(fetchStep))
  await recordDatabaseBackup(call.services.db, {
    id: call.id,
    roomId: room.id,
    databaseName: call.input.database,
    storeKey: keyOf(call),
    size,
    sha256,
    sealedPassword: call.input.sealed.password,
  })
}

function keyOf(call: RoomCall): string {
  return `databases/${call.roomId}/${call.id}.adb`
}
