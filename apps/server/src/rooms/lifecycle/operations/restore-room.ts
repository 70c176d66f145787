/** Replaces the content of a suspended room with an uploaded backup. A failure leaves the room as it was. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { busyRoomOutcome, withUploads } from '../../steps/outcomes.ts'
import { checkSuspended, putFormerBack, replaceContent, sendSettings, sendUpload } from '../../steps/restore-steps.ts'

/** `upload` is the temporary name of the file. */
const input = z.object({ upload: z.string() })
type Input = z.infer<typeof input>
const jobName = 'restore'

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
      run: (call) => sendUpload(call, call.input.upload),
      undo: noUndo,
    },
    {
      id: 'restore-room',
      title: 'restore the room on the region',
      run: (call) => replaceContent(call, { file: call.input.upload }, jobName),
      undo: (call) => putFormerBack(call, jobName),
    },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: noUndo },
  ],
  ...withUploads<Input>(busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }), ({ upload }) => [upload]),
})
