/** Starts to restore a backup in a test. It occupies neither the room, which may be gone, nor what is done with it. */
import { because } from '@roomkeeper/contract'
import { findBackup, lockForReading, type ObjectStore, type RoomBackupRow } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { type StartParts, startOnce, startOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { accepted, type Handlers } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { refuseWhilePurged } from '#rooms/index.ts'
import { type VerifiedBackup, verifyBackup } from './verify-backup.ts'

/** The call that restores a backup in a test. */
export function verificationHandlers(database: Database, objectStore: ObjectStore): Pick<Handlers, 'verifyRoomBackup'> {
  return {
    async verifyRoomBackup({ params, caller, requestId, header }) {
      const request = { caller, route: 'verifyRoomBackup', key: header('idempotency-key'), body: params }
      const id = await startOnce(database, request, async (tx) => {
        const backup = await findBackup(tx, params.id)
        // If its bucket is not configured, this refuses the request now instead of failing in the background.
        if (backup.kind === 'd2o') objectStore.locationOfUri(backup.location)
        return startVerification(tx, backup, { startedBy: caller.actor, requestId })
      })
      return accepted(id)
    },
  }
}

type Starter = Pick<StartParts<VerifiedBackup>, 'startedBy' | 'requestId' | 'background'>

/**
 * @returns the operation's id
 * @throws Refusal `backup-unknown` while it is being removed, `verification-running`, `wrong-state` when its region cannot do it now, `room-busy` while a deleted room
 *   is being removed for good, `purge-begun` once that has begun and failed
 */
export async function startVerification(tx: Tx, backup: RoomBackupRow, starter: Starter): Promise<string> {
  const { regionId, product } = await placeFor(tx, backup)
  await lockForReading(tx, backup.id)
  const input = { backupId: backup.id, roomId: backup.roomId, product }
  const parts = { ...starter, input, room: null, subject: backup.roomName, regionId }
  const operationId = await startOperation(tx, verifyBackup, parts).catch((error: unknown) => {
    throw violatesUnique(error, 'operations_one_verification') ? refuse('verification-running') : error
  })
  // A policy started it: the audit trail has the operator's change of the policy.
  const { startedBy: actor, requestId } = starter
  if (actor === 'system') return operationId
  const detail = `${backup.location}, SHA-256 ${backup.sha256}`
  const room = { id: backup.roomId, name: backup.roomName }
  await recordChange(tx, { actor, kind: 'backup.verify', room, detail, operationId, requestId })
  return operationId
}

interface Place {
  regionId: number
  /** Null for a room that has left only its backups: the backup's own product then decides. */
  product: VerifiedBackup['product']
}

/**
 * The room's region, also of a deleted room: another region may belong to an owner who must never get the room's data.
 * Only a restore, for which an operator names a region, brings it to another.
 */
async function placeFor(tx: Tx, { roomId, roomName }: RoomBackupRow): Promise<Place> {
  const [room] = await queryRows<Place & { isEnabled: boolean }>(
    tx,
    `select region_id, product, regions.state = 'enabled' as is_enabled
       from rooms join regions on regions.id = region_id where rooms.id = $1`,
    [roomId],
  )
  if (room?.isEnabled === false) throw refuse('wrong-state', { reason: because('region-disabled') })
  if (room !== undefined) return { regionId: room.regionId, product: room.product }
  await refuseWhilePurged(tx, roomId, roomName)
  const [former] = await queryRows<Place>(tx, formerPlace, [roomId])
  if (former === undefined) throw refuse('wrong-state', { reason: because('former-region-gone') })
  return former
}

/** The last operation says where a room was that did not stay among the deleted ones. */
const formerPlace = `
  select regions.id as region_id, d.product from regions left join deleted_rooms d on d.room_id = $1
   where regions.id = coalesce((d.columns ->> 'region_id')::int,
           (select region_id from operations where room_id = $1 and region_id is not null order by n desc limit 1))
     and regions.state = 'enabled' and (d.product is null or d.product = any(regions.products))`
