/**
 * Purges a deleted room: removes everything there is of it, everywhere, looks for it again, and certifies that. A region
 * that is away, or anything that is still there, keeps it from being certified. Once files are removed, the room cannot
 * come back: a purge that fails then can only be retried, or begun anew.
 */
import { noUndo, type OperationRecord, operation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { certify, isCertified } from './certify.ts'
import { findTraces } from './find-traces.ts'
import { type PurgeInput, purgeInput } from './purge-call.ts'
import { refuseWhileTested } from './refuse-while-tested.ts'
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
  },
})

/** Nothing was removed yet: the room is among the deleted ones as before. */
async function leaveUnlessBegun(tx: Tx, { input }: OperationRecord<PurgeInput>): Promise<void> {
  await queryRows(tx, 'update deleted_rooms set operation_id = null where id = $1 and purge_begun_at is null', [
    input.deletedRoomId,
  ])
}
