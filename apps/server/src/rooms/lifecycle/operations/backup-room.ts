/**
 * Classic backup: the region makes the .zip; the console copies it into the backup store, if it can while the region
 * still packs, and reads it back.
 */
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { operation, type Step, step } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { type BackupKeys, keyOfAllAttempts, keyPerAttempt } from '../../steps/backup-keys.ts'
import { type RegionFileMade, regionFile } from '../../steps/files-of-regions.ts'
import {
  fetchedFile,
  fetchIntoStore,
  fetchUnlessStored,
  readBackAt,
  readBackStepOf,
  removeStored,
} from '../../steps/keep-backup.ts'
import { type RoomCall, stopJob, targetOf } from '../../steps/room-call.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { type MadeBackup, madeBackup, packIntoStore } from '../../steps/store-while-packed.ts'
import { unchangedRoom } from '../../steps/unchanged-room.ts'
import { busyRoomOutcome } from './busy-room.ts'

const input = z.object({})
type Input = z.infer<typeof input>
const jobName = 'backup'
const makeStep = { id: 'make-backup', title: 'make the backup on the region' }
const keysOf = keyPerAttempt<Input>(firstKey)
const makeBackup = step<Input, RoomServices, MadeBackup>({
  ...makeStep,
  output: madeBackup,
  run: (call) => packIntoStore(call, jobName, keysOf(call)[0]),
  async undo(call) {
    try {
      await stopJob(jobName)(call)
    } finally {
      // Also when the region cannot be asked.
      await removeStored(call, keysOf)
    }
  },
})
/** In versions 1 and 2 the backup went into the store when it was made. */
const makeBackupAlone = step<Input, RoomServices, RegionFileMade>({
  ...makeStep,
  output: regionFile,
  run: backUp,
  undo: stopJob(jobName),
})

const storing = [makeBackup, fetchUnlessStored(makeBackup, keysOf)]
export const backupRoom = inVersion(3, keysOf, storing)
/** By a policy, of a running room, whose state does not change: what the region packs is one moment of the room. */
export const backupRunningRoom = operation<Input, RoomServices>({
  kind: 'room.backup-scheduled',
  version: 1,
  ...partsOf(keysOf, storing),
  ...unchangedRoom,
})
export const backupRoomVersion2 = inVersion(2, keysOf, [makeBackupAlone, fetchIntoStore(makeBackupAlone, keysOf)])
/** Version 1, for operations that started with it: all attempts shared one key. */
export const backupRoomVersion1 = inVersion(1, keyOfAllAttempts<Input>(firstKey), [
  makeBackupAlone,
  fetchIntoStore(makeBackupAlone, keyOfAllAttempts<Input>(firstKey)),
])

function inVersion(version: number, keys: BackupKeys<Input>, steps: Step<Input, RoomServices>[]) {
  return operation<Input, RoomServices>({
    kind: 'room.backup',
    version,
    ...partsOf(keys, steps),
    ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
  })
}

function partsOf(keys: BackupKeys<Input>, steps: Step<Input, RoomServices>[]) {
  return {
    process: 'Backup PR',
    input,
    takesSlot: true,
    whenFailed: 'undo',
    managedBy: 'admin',
    steps: [
      ...steps,
      readBackStepOf(keys),
      {
        id: 'record-backup',
        title: 'record the backup',
        run: (call: RoomCall<Input>) => record(call, keys(call)[0]),
        undo: forget,
      },
    ],
  } as const
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
