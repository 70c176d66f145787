/**
 * Brings a deleted room back from its last backup. Its row exists before the operation starts, to reserve the name and
 * the capacity. If it fails or is cancelled, everything is undone, and the room is among the deleted ones as before.
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { retainBackupsOfRoom } from '#backups/index.ts'
import { nothing, operation, StepFailed } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState, removeRoom } from '../change-state.ts'
import { checkName, checkRoom, createOnRegion, deleteFromRegion } from '../lifecycle/operations/creation-steps.ts'
import { resumeOnRegion, suspendOnRegion } from '../lifecycle/operations/state-steps.ts'
import { storedSource } from '../steps/files-of-regions.ts'
import { refuseEarlierOfRoom } from '../steps/refuse-earlier.ts'
import { isRestored, restoreOnRegion, sendSettings } from '../steps/restore-steps.ts'
import { type RoomCall, targetOf } from '../steps/room-call.ts'
import type { RoomServices } from '../steps/room-services.ts'

const input = z.object({ deletedRoomId: z.uuid(), backupId: z.uuid(), state: z.enum(['DEFAULT', 'SUSPENDED']) })
type Input = z.infer<typeof input>
const jobName = 'restore'

export const restoreDeletedRoom = operation<Input, RoomServices>({
  kind: 'room.restore-deleted',
  version: 1,
  process: 'Restore PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    {
      id: 'check-name',
      title: 'check the name on the region',
      process: 'Name already exists',
      run: checkNameAndRefuseEarlier,
      undo: nothing,
    },
    { id: 'create-room', title: 'create the room on the region', run: createOnRegion, undo: deleteFromRegion },
    { id: 'send-backup', title: 'send the backup to the region', run: sendBackup, undo: nothing },
    { id: 'restore-room', title: 'restore the room on the region', run: restoreContent, undo: nothing },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: nothing },
    { id: 'check-room', title: 'check the room on the region', run: checkRoom, undo: nothing },
    { id: 'put-state-back', title: 'keep users out as before', run: putStateBack, undo: nothing },
  ],
  async done(tx, { roomId, input }) {
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: input.state })
    if (roomId !== null) await retainBackupsOfRoom(tx, roomId)
    await queryRows(tx, 'delete from deleted_rooms where id = $1', [input.deletedRoomId])
  },
  async failed(tx, { roomId, input }, error, undone) {
    if (undone) return leaveDeleted(tx, roomId, input)
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: 'ERROR', error })
  },
  cancelled: (tx, { roomId, input }) => leaveDeleted(tx, roomId, input),
  async retrying(tx, { roomId, roomName }, puttingBack) {
    // Its row is gone: it is restored anew from the list, with another name or region if need be.
    const name = puttingBack ? await changeState(tx, roomId, { from: ['ERROR'], to: 'IN_PROGRESS' }) : null
    if (name === null) throw refuse('wrong-state', { reason: because('room-not-in-error', { room: roomName }) })
  },
})

async function leaveDeleted(tx: Tx, roomId: string | null, { deletedRoomId }: Input): Promise<void> {
  await removeRoom(tx, roomId)
  await queryRows(tx, 'update deleted_rooms set operation_id = null where id = $1', [deletedRoomId])
}

async function checkNameAndRefuseEarlier(call: RoomCall): Promise<void> {
  await refuseEarlierOfRoom(call)
  await checkName(call)
}

async function sendBackup(call: RoomCall<Input>): Promise<void> {
  const { region } = await targetOf(call)
  const { db, files } = call.services
  const backup = await db.selectFrom('roomBackups').selectAll().where('id', '=', call.input.backupId).executeTakeFirst()
  if (backup === undefined) throw new StepFailed(because('backup-gone'))
  await region.putFile(backup.id, storedSource(files, { ...backup, storeKey: backup.location }), call.mark)
  await call.log([because('log-bytes-sent', { bytes: backup.size })])
}

async function restoreContent(call: RoomCall<Input>): Promise<void> {
  if (!(await isRestored(call, jobName))) await restoreOnRegion(call, call.input.backupId, jobName)
}

/** The backup holds the state of when it was made; creation has made the room an active one. */
async function putStateBack(call: RoomCall<Input>): Promise<void> {
  await (call.input.state === 'SUSPENDED' ? suspendOnRegion(call) : resumeOnRegion(call))
}
