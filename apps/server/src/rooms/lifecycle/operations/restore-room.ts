/** Replaces the content of a suspended room with an uploaded or a stored backup. A failure leaves the room as it was. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { fileOfRestore } from '../../steps/backup-keys.ts'
import { lockToRestore } from '../../steps/lock-to-restore.ts'
import { busyRoomOutcome, withUploads } from '../../steps/outcomes.ts'
import {
  checkSuspended,
  replaceContent,
  sendSettings,
  sendStored,
  sendUpload,
  undoReplace,
} from '../../steps/restore-steps.ts'
import type { RoomCall } from '../../steps/room-call.ts'

/**
 * `upload` is the temporary name of the file, `backupId` the id of a stored backup. A purge finds by `backupRoomId`, the room
 * that the backup is of, what was sent to regions, also when the backup is gone.
 */
const input = z.union([z.object({ upload: z.string() }), z.object({ backupId: z.uuid(), backupRoomId: z.uuid() })])
type Input = z.infer<typeof input>
const jobName = 'restore'

const outcome = withUploads<Input>(busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }), (given) =>
  'upload' in given ? [given.upload] : [],
)

export const restoreRoom = operation<Input>({
  kind: 'room.restore',
  version: 1,
  process: 'Restore PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  uselessRetries: { 'file-not-usable': because('other-file-needed') },
  steps: [
    { id: 'check-room', title: 'check the room on the region', run: checkSuspended, undo: noUndo },
    {
      id: 'send-backup',
      title: 'send the backup to the region',
      run: (call) =>
        'upload' in call.input
          ? sendUpload(call, call.input.upload)
          : sendStored(call, call.input.backupId, fileOf(call)),
      undo: noUndo,
    },
    {
      id: 'restore-room',
      title: 'restore the room on the region',
      run: (call) => replaceContent(call, { file: fileOf(call) }, jobName),
      undo: (call) => undoReplace(call, jobName),
    },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: noUndo },
  ],
  ...outcome,
  async retrying(tx, record, isFinishingUndo) {
    if (!isFinishingUndo && 'backupId' in record.input) await lockToRestore(tx, record.input.backupId)
    await outcome.retrying(tx, record, isFinishingUndo)
  },
})

/** Its name on the region. */
function fileOf(call: RoomCall<Input>): string {
  return 'upload' in call.input ? call.input.upload : fileOfRestore(call)
}
