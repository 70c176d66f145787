/** Starts to purge a deleted room. */
import { fieldError } from '@roomkeeper/contract'
import { refuseWhileAnyIsRead } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { startOnce, startOperation } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { refuseInput } from '#platform/refuse.ts'
import { lockDeletedRoom } from '../deleted/lock-deleted-room.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { purgeRoom } from './purge-room.ts'
import { refuseWhileTested } from './refuse-while-tested.ts'

/**
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
