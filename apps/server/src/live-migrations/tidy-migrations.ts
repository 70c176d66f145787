/** Housekeeping of live migrations: removes records that no call can return. State entries stay until deleted. */
import { minutesAfterForceDelete } from '@roomkeeper/rules'
import { type Db, queryRows } from '#platform/database.ts'

export async function tidyMigrations(db: Db): Promise<void> {
  // The rooms of a run are shown beside its operation, which is kept for a while.
  await queryRows(
    db,
    `delete from live_migration_rooms r where run_id in (
       select run_id from live_migration_counts group by run_id
       having not exists (select from operations where id = run_id))`,
  )
  await queryRows(db, 'delete from forced_deletions where ended_at < now() - make_interval(mins => $1)', [
    minutesAfterForceDelete,
  ])
}
