/** D2O restore: the region itself reads the backup from the object store. A failure leaves the room as it was. */
import { because } from '@roomkeeper/contract'
import { type ObjectStoreLocation, objectStoreLocation } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { lockToRestore } from '../../steps/lock-to-restore.ts'
import { busyRoomOutcome } from '../../steps/outcomes.ts'
import { checkSuspended, replaceContent, sendSettings, undoReplace } from '../../steps/restore-steps.ts'
import type { RoomCall } from '../../steps/room-call.ts'

/**
 * `sealed.source` is sealed JSON: the location of the backup and the keys to it. `backupId`: null for one that the console
 * has no record of.
 */
const input = z.object({
  location: z.string(),
  backupId: z.uuid().nullable(),
  sealed: z.object({ source: z.string() }),
})
type Input = z.infer<typeof input>
const jobName = 'restore-d2o'

const outcome = busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' })

export const restoreRoomFromObjectStore = operation<Input>({
  kind: 'room.restore-d2o',
  version: 1,
  process: 'Restore PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'check-room', title: 'check the room on the region', run: checkSuspended, undo: noUndo },
    {
      id: 'restore-from-object-store',
      title: 'restore the room from the object store',
      run: async (call) => replaceContent(call, { source: await sourceOf(call) }, jobName),
      undo: (call) => undoReplace(call, jobName),
    },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: noUndo },
  ],
  ...outcome,
  async retrying(tx, record, isFinishingUndo) {
    const { backupId } = record.input
    if (!isFinishingUndo && backupId !== null) await lockToRestore(tx, backupId)
    await outcome.retrying(tx, record)
  },
})

async function sourceOf(call: RoomCall<Input>): Promise<ObjectStoreLocation> {
  await call.log([because('log-reading', { location: call.input.location })])
  return objectStoreLocation.parse(JSON.parse(call.services.secrets.open(call.input.sealed.source).reveal()))
}
