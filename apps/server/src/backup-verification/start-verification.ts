/** Starts to restore a backup in a test. It occupies neither the room, which may be gone, nor what is done with it. */
import { because } from '@roomkeeper/contract'
import type { RoomBackupRow } from '#backups/index.ts'
import { type StartParts, startOperation } from '#operations/index.ts'
import { recordAudit } from '#operators/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'
import type { VerifiedBackup } from './verified-backup.ts'
import { verifyBackup } from './verify-backup.ts'

type Starter = Pick<StartParts<VerifiedBackup>, 'startedBy' | 'requestId' | 'background'>

/**
 * @returns the operation's id
 * @throws Refusal `verification-running`, `wrong-state` when no region can do it now, `room-busy` when the deleted room
 *   is being removed for good
 */
export async function startVerification(tx: Tx, backup: RoomBackupRow, starter: Starter): Promise<string> {
  const { regionId, product } = await placeFor(tx, backup)
  const input = { backupId: backup.id, roomId: backup.roomId, product }
  const parts = { ...starter, input, room: null, subject: backup.roomName, regionId }
  const operationId = await startOperation(tx, verifyBackup, parts).catch((error: unknown) => {
    throw violatesUnique(error, 'operations_one_verification') ? refuse('verification-running') : error
  })
  const { startedBy: actor, requestId } = starter
  const detail = `${backup.location}, SHA-256 ${backup.sha256}`
  const room = { id: backup.roomId, name: backup.roomName }
  await recordAudit(tx, { actor, action: 'backup.verify', room, detail, operationId, requestId })
  return operationId
}

interface Place {
  regionId: number
  /** Null for a room of which nothing but its backups is left: what the backup says then decides. */
  product: VerifiedBackup['product']
}

/** The room's region. For a deleted room any that serves the product, if possible the one that the room was in. */
async function placeFor(tx: Tx, { roomId, roomName }: RoomBackupRow): Promise<Place> {
  const [room] = await queryRows<Place & { isEnabled: boolean }>(
    tx,
    `select region_id, product, regions.state = 'enabled' as is_enabled
       from rooms join regions on regions.id = region_id where rooms.id = $1`,
    [roomId],
  )
  if (room?.isEnabled === false) throw refuse('wrong-state', { reason: because('region-disabled') })
  if (room !== undefined) return { regionId: room.regionId, product: room.product }
  // Whoever removes a deleted room for good locks it, too.
  const [deleted] = await queryRows<{ isBusy: boolean }>(
    tx,
    `select exists (select from operations o where o.id = d.operation_id and o.ended_at is null) as is_busy
       from deleted_rooms d where room_id = $1 for share of d`,
    [roomId],
  )
  if (deleted?.isBusy === true) throw refuse('room-busy', { room: roomName })
  const [any] = await queryRows<Place>(
    tx,
    `select regions.id as region_id, d.product from regions left join deleted_rooms d on d.room_id = $1
      where regions.state = 'enabled' and (d.product is null or d.product = any(regions.products))
      order by regions.health is distinct from 'answers', regions.id = (d.columns ->> 'region_id')::int desc nulls last,
               regions.id limit 1`,
    [roomId],
  )
  if (any === undefined) throw refuse('wrong-state', { reason: because('no-region-verifies') })
  return any
}
