/** Housekeeping of live migrations: removes records that no call can return. State entries stay until deleted. */
import { minutesAfterForceDelete } from '@roomkeeper/rules'
import { type Db, queryRows } from '#platform/database.ts'

export async function tidyMigrations(db: Db): Promise<void> {
  await queryRows(db, 'delete from forced_deletions where ended_at < now() - make_interval(mins => $1)', [
    minutesAfterForceDelete,
  ])
}
