/** A classic backup: the region makes the .zip, the console keeps it in the backup store and reads it back. */
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { nothing, operation, StepFailed } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { busyRoom } from './busy-room.ts'
import { fetchFromRegion, regionFile, sha256Of } from './files-of-regions.ts'
import { type RoomCall, stopJob, targetOf } from './room-call.ts'
import type { RoomServices } from './room-services.ts'

const input = z.object({})
const jobName = 'backup'
const makeStep = 'make the backup on the region'
const fetchStep = 'bring the backup into the store'

export const backupRoom = operation<z.infer<typeof input>, RoomServices>({
  kind: 'room.backup',
  version: 1,
  process: 'Backup PR',
  input,
  takesPlace: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { name: makeStep, run: makeBackup, undo: stopJob(jobName) },
    { name: fetchStep, run: fetchBackup, undo: removeBackup },
    { name: 'read the backup back', run: readBack, undo: nothing },
    { name: 'record the backup', run: record, undo: (call) => forgetRoomBackup(call.services.db, call.id) },
  ],
  ...busyRoom({ before: 'SUSPENDED', after: 'SUSPENDED' }),
})

async function makeBackup(call: RoomCall): Promise<unknown> {
  const { room, region } = await targetOf(call)
  return runRegionJob(call, region, { type: 'backupRoom', room: room.name, roomId: room.id }, jobName)
}

async function fetchBackup(call: RoomCall): Promise<unknown> {
  const { region } = await targetOf(call)
  const made = regionFile.parse(call.output(makeStep))
  await fetchFromRegion(call, region, made, keyOf(call))
  await call.log(`${made.size} bytes, SHA-256 ${made.sha256}`)
  return made
}

async function removeBackup(call: RoomCall): Promise<void> {
  await call.services.files.remove(keyOf(call))
}

/** What lies in the store decides, not what was sent to it. */
async function readBack(call: RoomCall): Promise<unknown> {
  const made = regionFile.parse(call.output(fetchStep))
  const stored = await sha256Of(call, await call.services.files.open(keyOf(call)), made.size)
  if (stored !== made.sha256) throw new StepFailed('The backup in the store is not the one that the region made.')
  await call.log('the backup in the store is whole')
  return { verifiedAt: new Date().toISOString() }
}

async function record(call: RoomCall): Promise<void> {
  const { room } = await targetOf(call)
  const { size, sha256 } = regionFile.parse(call.output(fetchStep))
  const { verifiedAt } = z.object({ verifiedAt: z.string() }).parse(call.output('read the backup back'))
  await recordRoomBackup(call.services.db, {
    id: call.id,
    roomId: room.id,
    roomName: room.name,
    kind: 'classic',
    location: keyOf(call),
    size,
    sha256,
    verifiedAt,
  })
}

function keyOf(call: RoomCall): string {
  return `rooms/${call.roomId}/${call.id}.zip`
}
