/**
 * Removes the backups that no policy keeps any more. What stays in any case: backups made by hand, those of policies
 * that were deleted, the newest backup of a room that is known to be good, and the newest that was restored in a test.
 */
import { type BackupRetention, backupRetention } from '@roomkeeper/contract'
import { type BackupStores, newestGoodBackup, removeBackup } from '#backups/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { forEach } from '#platform/for-each.ts'
import { keptBackups } from './retention.ts'

const roomsAtOnce = 500

/** Housekeeping: looks at the rooms that have got a scheduled backup since. */
export async function tidyScheduledBackups(db: Db, stores: BackupStores): Promise<void> {
  const rooms = await queryRows<{ roomId: string }>(
    db,
    `select distinct room_id from scheduled_backups where state = 'done' and not is_tidied limit ${roomsAtOnce}`,
  )
  await forEach(rooms, ({ roomId }) => tidyRoom(db, stores, roomId))
}

interface ScheduledBackup {
  id: string
  createdAt: string
  kind: 'classic' | 'd2o'
  location: string
  policyId: string
  keep: BackupRetention
  isTidied: boolean
}

async function tidyRoom(db: Db, stores: BackupStores, roomId: string): Promise<void> {
  const backups = await queryRows<ScheduledBackup>(
    db,
    `select b.id, b.created_at, b.kind, b.location, s.policy_id, p.keep, s.is_tidied
       from scheduled_backups s join backup_policies p on p.id = s.policy_id
       join room_backups b on b.id = s.operation_id and b.room_id = s.room_id
      where s.room_id = $1 and s.state = 'done' and b.expires_at is null`,
    [roomId],
  )
  const kept = new Set([await newestGoodBackup(db, roomId)])
  for (const ofPolicy of Map.groupBy(backups, ({ policyId }) => policyId).values()) {
    const keep = backupRetention.parse(ofPolicy[0]?.keep)
    for (const id of keptBackups(ofPolicy, keep)) kept.add(id)
  }
  const removed = new Map(backups.filter(({ id }) => !kept.has(id)).map((backup) => [backup.id, backup]))
  await forEach([...removed.values()], (backup) => removeBackup(db, stores, backup))
  // Not those that came meanwhile.
  await queryRows(
    db,
    `update scheduled_backups set is_tidied = true
      where room_id = $1 and state = 'done' and not is_tidied and operation_id = any($2::uuid[])`,
    [roomId, backups.map(({ id }) => id)],
  )
  await queryRows(
    db,
    `update scheduled_backups s set is_tidied = true
      where room_id = $1 and state = 'done' and not is_tidied
        and not exists (select from room_backups b where b.id = s.operation_id and b.expires_at is null)`,
    [roomId],
  )
}
