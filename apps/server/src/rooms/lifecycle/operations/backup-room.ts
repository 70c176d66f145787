/** Classic backup: the region makes the .zip; the console copies it into the backup store and reads it back. */
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { operation, step } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { type BackupKeys, keyOfAllAttempts, keyPerAttempt } from '../../steps/backup-keys.ts'
import { type RegionFileMade, regionFile } from '../../steps/files-of-regions.ts'
import { fetchedFile, fetchIntoStore, readBackAt, readBackStepOf } from '../../steps/keep-backup.ts'
import { type RoomCall, stopJob, targetOf } from '../../steps/room-call.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { busyRoomOutcome } from './busy-room.ts'

const input = z.object({})
type Input = z.infer<typeof input>
const jobName = 'backup'
const makeBackup = step({
  id: 'make-backup',
  title: 'make the backup on the region',
  output: regionFile,
  run: backUp,
  undo: stopJob(jobName),
})

export const backupRoom = inVersion(2, keyPerAttempt(firstKey))
/** Version 1, for operations that started with it. */
export const backupRoomVersion1 = inVersion(1, keyOfAllAttempts(firstKey))

function inVersion(version: number, keysOf: BackupKeys<Input>) {
  return operation<Input, RoomServices>({
    kind: 'room.backup',
    version,
    process: 'Backup PR',
    input,
    takesSlot: true,
    whenFailed: 'undo',
    managedBy: 'admin',
    steps: [
      makeBackup,
      fetchIntoStore(makeBackup, keysOf),
      readBackStepOf(keysOf),
      { id: 'record-backup', title: 'record the backup', run: (call) => record(call, keysOf(call)[0]), undo: forget },
    ],
    ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
  })
}

async function backUp(call: RoomCall): Promise<RegionFileMade> {
  const { room, region } = await targetOf(call)
  return runRegionJob(call, region, { type: 'backupRoom', room: room.name, roomId: room.id }, jobName)
}

async function record(call: RoomCall, location: string): Promise<void> {
  const { room } = await targetOf(call)
  const { size, sha256 } = fetchedFile(call)
  const kept = { kind: 'classic', location, size, sha256, verifiedAt: readBackAt(call) } as const
  await call.transaction((tx) => recordRoomBackup(tx, { ...kept, id: call.id, roomId: room.id, roomName: room.name }))
}

async function forget(call: RoomCall): Promise<void> {
  await call.transaction((tx) => forgetRoomBackup(tx, call.id))
}

function firstKey(call: RoomCall): string {
  return `rooms/${call.roomId}/${call.id}.zip`
}
