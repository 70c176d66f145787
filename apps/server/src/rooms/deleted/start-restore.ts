/** Starts to bring a deleted room back: reserves its name and capacity and records the operation, in one transaction. */
import { lockForReading } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { startOnce, startOperation } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { ensureCapacity, expectCapacity } from '#regions/index.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { findBackupToReturn } from './backup-to-return.ts'
import { bringBackRow } from './bring-back-row.ts'
import { lockDeletedRoom } from './lock-deleted-room.ts'
import { restoreDeletedRoom } from './restore-deleted-room.ts'

interface Wish {
  id: string
  region?: number | undefined
  tenantName?: string | undefined
}

/**
 * @returns the operation's id
 * @throws Refusal `deleted-room-unknown`, `room-busy`, `purge-begun`, `backup-unknown`, `name-taken`, `sap-number-taken`, `region-full` …
 */
export function startRestore(core: RoomCore, { caller, requestId, header }: StartingCall, wish: Wish): Promise<string> {
  const request = { caller, route: 'restoreDeletedRoom', key: header('idempotency-key'), body: wish }
  return startOnce(core.database, request, async (tx) => {
    const deleted = await lockDeletedRoom(tx, wish.id)
    if (deleted.purgeBegunAt !== null) throw refuse('purge-begun', { room: deleted.name })
    if (deleted.isOver) throw refuse('deleted-room-unknown')
    const backupId = await findBackupToReturn(tx, deleted.id)
    if (backupId === null) throw refuse('backup-unknown')
    await lockForReading(tx, backupId)
    const was = deleted.columns as { region_id: number; product: 'ARIS'; state: string }
    const name = wish.tenantName ?? deleted.name
    const regionId = wish.region ?? was.region_id
    await expectCapacity(tx, regionId, was.product)
    const room = { id: deleted.roomId, name }
    const state = was.state === 'SUSPENDED' ? ('SUSPENDED' as const) : ('DEFAULT' as const)
    const operationId = await startOperation(tx, restoreDeletedRoom, {
      input: { deletedRoomId: deleted.id, backupId, state },
      room,
      regionId,
      startedBy: caller.actor,
      requestId,
    })
    await queryRows(tx, 'update deleted_rooms set operation_id = $2 where id = $1', [deleted.id, operationId])
    await recordChange(tx, { actor: caller.actor, kind: 'room.restore-deleted', room, operationId, requestId })
    await ensureCapacity(tx, regionId, was.product)
    const columns = { ...was, name, region_id: regionId, state: 'IN_PROGRESS' }
    await bringBackRow(tx, { ...columns, error_message: null, error_reasons: null, error_code: null })
    return operationId
  })
}
