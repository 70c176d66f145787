/** Retention looks again at all rooms of a policy that keeps other backups than before. */
import { type Database, queryRows } from '#platform/database.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { piecesUntil } from '#platform/in-pieces.ts'

const roomsAtOnce = 500

/**
 * Housekeeping. One row of each room is enough for that, so it takes no longer the more backups there were.
 * @param until a time of `performance.now()`
 */
export async function reapplyRetention(database: Database, until: number): Promise<void> {
  const policies = await queryRows<{ id: string }>(
    database.db,
    'select id from backup_policies where retention_cursor is not null and deleted_at is null',
  )
  await forEachCollectingErrors(policies, ({ id }) => piecesUntil(() => tidySome(database, id), until))
}

/** @returns whether there are more */
function tidySome(database: Database, policyId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Whoever changes again what it keeps waits, and then begins with the first room.
    const lock = 'select retention_cursor from backup_policies where id = $1 for no key update'
    const [policy] = await queryRows<{ retentionCursor: string | null }>(tx, lock, [policyId])
    const [last] = await queryRows<{ roomId: string }>(tx, markNext, [policyId, policy?.retentionCursor, roomsAtOnce])
    await queryRows(tx, 'update backup_policies set retention_cursor = $2 where id = $1', [policyId, last?.roomId])
    return last !== undefined
  })
}

/** @returns the last of the rooms */
const markNext = `
  with next as materialized (
    select distinct room_id from scheduled_backups where policy_id = $1 and room_id > $2 order by room_id limit $3
  ), marked as (
    update scheduled_backups s set retention_applied = false
      from (
        select distinct on (s.room_id) s.room_id, s.due_at
          from next join scheduled_backups s on s.policy_id = $1 and s.room_id = next.room_id and s.state = 'done'
          join room_backups b on b.id = s.operation_id and b.expires_at is null
         order by s.room_id, s.due_at desc
      ) as newest
     where s.policy_id = $1 and s.room_id = newest.room_id and s.due_at = newest.due_at and s.retention_applied
  )
  select room_id from next order by room_id desc limit 1`
