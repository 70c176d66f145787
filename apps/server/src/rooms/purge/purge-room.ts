/**
 * Purges a deleted room: removes everything there is of it, everywhere, looks for it again, and certifies that. A region
 * that is away, or anything that is still there, keeps it from being certified. Once files are removed, the room cannot
 * come back: a purge that fails then can only be retried, or begun anew.
 */

import { fieldError } from '@roomkeeper/contract'
import { refuseWhileAnyIsRead } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { noUndo, type OperationRecord, operation, startOnce, startOperation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { lockDeletedRoom } from '../deleted/deleted-rooms.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { certify, isCertified } from './certificate.ts'
import { findTraces, type PurgeInput, purgeInput } from './find-traces.ts'
import { isAmongRooms, purgeRegions, recheck, removeBackups } from './remove-traces.ts'

export const purgeRoom = operation<PurgeInput>({
  kind: 'room.purge',
  version: 1,
  process: null,
  input: purgeInput,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [findTraces, removeBackups, purgeRegions, recheck, certify],
  done: noUndo,
  failed: leaveUnlessBegun,
  cancelled: leaveUnlessBegun,
  async retrying(tx, { id, input }, _, by) {
    const [row] = await queryRows(
      tx,
      `update deleted_rooms set operation_id = $2, purge_retried_by = $3 where id = $1 and (operation_id = $2 or operation_id is null)
       returning id`,
      [input.deletedRoomId, id, by.actor],
    )
    if (row === undefined) {
      if (await isCertified(tx, input.deletedRoomId)) return
      throw refuse('start-again')
    }
    if (await isAmongRooms(tx, input.roomId)) throw refuse('room-busy', { room: input.roomName })
    await refuseWhileTested(tx, input)
    await refuseWhileAnyIsRead(tx, input.roomId)
  },
})

/** Nothing was removed yet: the room is among the deleted ones as before. */
async function leaveUnlessBegun(tx: Tx, { input }: OperationRecord<PurgeInput>): Promise<void> {
  await queryRows(tx, 'update deleted_rooms set operation_id = null where id = $1 and purge_begun_at is null', [
    input.deletedRoomId,
  ])
}

/**
 * Starts to purge a deleted room.
 * @returns the operation's id
 * @throws Refusal `deleted-room-unknown`, `room-busy` (also while a backup of it is restored in a test), `backup-in-use`, `invalid-input` when the typed name is another
 */
export function startPurge(
  core: RoomCore,
  call: StartingCall,
  wish: { id: string; typedName: string },
): Promise<string> {
  const { caller, requestId, header } = call
  const request = { caller, route: 'purgeDeletedRoom', key: header('idempotency-key'), body: wish }
  return startOnce(core.database, request, async (tx) => {
    const deleted = await lockDeletedRoom(tx, wish.id)
    const { id: deletedRoomId, roomId, name: roomName } = deleted
    if (wish.typedName !== roomName)
      throw refuseInput([fieldError('typedName', 'typed-name-differs', { room: roomName })])
    await refuseWhileTested(tx, { roomId, roomName })
    await refuseWhileAnyIsRead(tx, roomId)
    const operationId = await startOperation(tx, purgeRoom, {
      input: { deletedRoomId, roomId, roomName },
      room: null,
      subject: roomName,
      regionId: null,
      startedBy: caller.actor,
      requestId,
    })
    await queryRows(tx, 'update deleted_rooms set operation_id = $2, purge_retried_by = null where id = $1', [
      deletedRoomId,
      operationId,
    ])
    const room = { id: roomId, name: roomName }
    await recordChange(tx, { actor: caller.actor, kind: 'room.purge-begin', room, operationId, requestId })
    return operationId
  })
}

/**
 * A purge would remove a backup under the operation that restores it in a test, or miss what that sends to a region. To
 * be called with the deleted room locked, as the start of a test locks it.
 * @throws Refusal `room-busy`
 */
async function refuseWhileTested(
  tx: Tx,
  { roomId, roomName: room }: Pick<PurgeInput, 'roomId' | 'roomName'>,
): Promise<void> {
  const tests = await queryRows(
    tx,
    `select 1 from operations where kind = 'backup.verify' and state in ('waiting', 'running', 'cancelling')
        and room_id is null and input ? 'roomId' and input ->> 'roomId' = $1 limit 1`,
    [roomId],
  )
  if (tests.length > 0) throw refuse('room-busy', { room })
}
