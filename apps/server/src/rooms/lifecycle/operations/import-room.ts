/** The operations that create a room with the content of uploaded backups: import, creation and restore. */
import { because, type ProcessType } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { creationOutcome, withUploads } from '../../steps/outcomes.ts'
import { isRestored, restoreOnRegion, sendSettings, sendUpload } from '../../steps/restore-steps.ts'
import type { RoomCall } from '../../steps/room-call.ts'
import { checkName, checkRoom, createOnRegion, deleteFromRegion, mailCustomers } from './region-steps.ts'

/** The temporary names of the uploads. One of the two may be null. */
const input = z.object({ upload: z.string().nullable(), productUpload: z.string().nullable() })
type Input = z.infer<typeof input>

export const importRoom = creationWithContent({ kind: 'room.import', process: 'Import PR', managedBy: 'edit' })
export const createRoomFromBackup = creationWithContent({
  kind: 'room.create-from-backup',
  process: 'Create PR',
  managedBy: 'admin',
})
export const restoreNewRoom = creationWithContent({
  kind: 'room.restore-new',
  process: 'Restore PR',
  managedBy: 'admin',
})

function creationWithContent(names: { kind: string; process: ProcessType; managedBy: 'edit' | 'admin' }) {
  return operation<Input>({
    ...names,
    version: 1,
    input,
    takesSlot: true,
    whenFailed: 'keep',
    uselessRetries: { 'file-not-usable': because('other-backup-needed') },
    steps: [
      {
        id: 'check-name',
        title: 'check the name on the region',
        process: 'Name already exists',
        run: checkName,
        undo: noUndo,
      },
      {
        id: 'create-room',
        title: 'create the room on the region',
        run: (call) => createOnRegion(call),
        undo: deleteFromRegion,
      },
      { id: 'send-backups', title: 'send the backups to the region', run: sendUploads, undo: noUndo },
      { id: 'restore-room', title: 'restore the room on the region', run: restoreContent, undo: noUndo },
      { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: noUndo },
      { id: 'check-room', title: 'check the room on the region', run: (call) => checkRoom(call), undo: noUndo },
      { id: 'tell-customers', title: 'tell owner and delegate', run: mailCustomers, undo: noUndo },
    ],
    ...withUploads<Input>(creationOutcome, ({ upload, productUpload }) => [upload, productUpload]),
  })
}

async function sendUploads(call: RoomCall<Input>): Promise<void> {
  for (const { upload } of await remainingUploads(call)) await sendUpload(call, upload)
}

async function restoreContent(call: RoomCall<Input>): Promise<void> {
  for (const { upload, job } of await remainingUploads(call)) await restoreOnRegion(call, upload, job)
}

/** The uploads that no earlier attempt has restored. */
async function remainingUploads(call: RoomCall<Input>): Promise<{ upload: string; job: string }[]> {
  const parts: { upload: string; job: string }[] = []
  for (const [upload, job] of [
    [call.input.upload, 'restore'],
    [call.input.productUpload, 'restore-product'],
  ] as const) {
    if (upload !== null && !(await isRestored(call, job))) parts.push({ upload, job })
  }
  return parts
}
