/** Which stored backups may be restored into a room. */
import { because } from '@roomkeeper/contract'
import { isKnownBad, lockForReading } from '#backups/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { refuseWhilePurged } from '../deleted/deleted-rooms.ts'
import type { StoredRoom } from '../stored-room.ts'

interface BackupToRestore {
  roomId: string
  roomName: string
  /** Null: nothing but backups is left of its room. Then the region compares the products. */
  product: StoredRoom['product'] | null
}

/**
 * Called in the transaction that starts or retries an operation with the backup's id in its input. The backup is not
 * removed before the operation has ended.
 * @throws Refusal `backup-unknown`, `backup-in-use` while it is being taken, `backup-damaged`; `purge-begun`, and `room-busy`
 *   while the deleted room that it is of is purged
 */
export async function lockToRestore(tx: Tx, backupId: string): Promise<BackupToRestore> {
  const [of] = await queryRows<{ roomId: string; roomName: string }>(
    tx,
    'select room_id, room_name from room_backups where id = $1',
    [backupId],
  )
  if (of === undefined) throw refuse('backup-unknown')
  // A deleted room is locked before its backups, as its adoption and its purge do.
  await refuseWhilePurged(tx, of.roomId, of.roomName)
  await lockForReading(tx, backupId)
  const [found] = await queryRows<BackupToRestore & { isBeingTaken: boolean; isBad: boolean }>(
    tx,
    // A backup has the id of the operation that takes it.
    `select b.room_id, b.room_name, coalesce(r.product::text, d.product) as product, ${isKnownBad} as is_bad,
            exists (select from operations o where o.id = b.id and o.ended_at is null) as is_being_taken
       from room_backups b left join rooms r on r.id = b.room_id left join deleted_rooms d on d.room_id = b.room_id
      where b.id = $1 and (b.expires_at is null or b.expires_at > now())`,
    [backupId],
  )
  if (found === undefined) throw refuse('backup-unknown')
  const { isBeingTaken, isBad, ...backup } = found
  if (isBeingTaken) throw refuse('backup-in-use', { reason: because('backup-being-taken') })
  if (isBad) throw refuse('backup-damaged')
  return backup
}
