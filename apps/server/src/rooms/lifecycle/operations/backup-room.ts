/**
 * Classic backup: the region makes the .zip; the console copies it into the backup store, if it can while the region
 * still packs, and reads it back.
 */
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { operation, step } from '#operations/index.ts'
import { keyPerAttempt } from '../../steps/backup-keys.ts'
import { busyRoomOutcome, unchangedRoom } from '../../steps/outcomes.ts'
import { type RoomCall, stopJob, targetOf } from '../../steps/room-call.ts'
import {
  fetchedFile,
  fetchUnlessStored,
  readBackAt,
  readBackStepOf,
  removeStored,
} from '../../steps/store-and-read-back.ts'
import { type MadeBackup, madeBackup, packIntoStore } from '../../steps/store-while-packed.ts'

const input = z.object({})
type Input = z.infer<typeof input>
const jobName = 'backup'
const keysOf = keyPerAttempt<Input>((call) => `rooms/${call.roomId}/${call.id}.zip`)
const makeBackup = step<Input, MadeBackup>({
  id: 'make-backup',
  title: 'make the backup on the region',
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
const common = {
  process: 'Backup PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    makeBackup,
    fetchUnlessStored(makeBackup, keysOf),
    readBackStepOf(keysOf),
    { id: 'record-backup', title: 'record the backup', run: record, undo: forget },
  ],
} as const

export const backupRoom = operation<Input>({
  kind: 'room.backup',
  version: 1,
  ...common,
  ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
})
/** By a policy, of a running room, whose state does not change: what the region packs is one moment of the room. */
export const backupRunningRoom = operation<Input>({
  kind: 'room.backup-scheduled',
  version: 1,
  ...common,
  ...unchangedRoom,
})

async function record(call: RoomCall<Input>): Promise<void> {
  const { room } = await targetOf(call)
  const { size, sha256 } = fetchedFile(call)
  const [location] = keysOf(call)
  const kept = { kind: 'classic', location, size, sha256, readBackAt: readBackAt(call) } as const
  await call.transaction((tx) => recordRoomBackup(tx, { ...kept, id: call.id, roomId: room.id, roomName: room.name }))
}

async function forget(call: RoomCall): Promise<void> {
  await call.transaction((tx) => forgetRoomBackup(tx, call.id))
}
