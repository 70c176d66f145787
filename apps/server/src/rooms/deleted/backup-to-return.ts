/**
 * The backup from which a deleted room comes back, chosen when it is asked for: the last one, or, once that is gone or
 * known to be bad, the newest good one that there is.
 */
import { isKnownBad } from '#backups/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'

/** @param row a row of deleted_rooms. @returns a subquery for a lateral join */
export const backupToReturn = (row: string) => `(
  select b.* from room_backups b where b.room_id = ${row}.room_id and b.kind = 'classic'
   order by ${isKnownBad}, b.id is distinct from ${row}.backup_id, b.created_at desc limit 1)`

/** @returns its id; null: there is none */
export async function findBackupToReturn(tx: Tx, deletedRoomId: string): Promise<string | null> {
  const [backup] = await queryRows<{ id: string }>(
    tx,
    `select chosen.id from deleted_rooms d cross join lateral ${backupToReturn('d')} chosen where d.id = $1`,
    [deletedRoomId],
  )
  return backup?.id ?? null
}
