/** Removes records of scheduled backups that nobody needs any more. */
import { type Db, queryRows } from '#platform/database.ts'

const keptDays = 60
const atOnce = 5_000

/**
 * Those of backups that still exist stay: they say which policy keeps them. In pieces, because a policy of many rooms
 * has many of them.
 */
export async function removeOldRuns(db: Db): Promise<void> {
  let removed: unknown[]
  do {
    removed = await queryRows(
      db,
      `delete from scheduled_backups where (policy_id, room_id, due_at) in (
         select policy_id, room_id, due_at from scheduled_backups s
          where state in ('done', 'failed', 'missed') and due_at < now() - make_interval(days => $1)
            and not exists (select from room_backups b where b.id = s.operation_id and b.expires_at is null)
          order by due_at limit $2)
       returning 1`,
      [keptDays, atOnce],
    )
  } while (removed.length === atOnce)
}
