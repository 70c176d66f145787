/** State entries: what became of each room of a configuration. */
import type { MigrationStateEntry, Reasons } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

/** Newest first. */
export function listStates(db: Db, migrationId: number): Promise<MigrationStateEntry[]> {
  return queryRows<MigrationStateEntry>(
    db,
    `select id, room_name as project_room_name, outcome = 'migrated' as state, at as live_migration_date,
        outcome = 'failed' as is_live_migration_error
       from live_migration_states where migration_id = $1 order by id desc`,
    [migrationId],
  )
}

/** @throws Refusal `migration-state-unknown` */
export async function findLogs(
  db: Db,
  stateId: number,
): Promise<{ logInfo: string; errorInfo: string; errorReasons: Reasons }> {
  const found = await db
    .selectFrom('liveMigrationStates')
    .select(['log as logInfo', 'error as errorInfo', 'errorReasons'])
    .where('id', '=', stateId)
    .executeTakeFirst()
  if (found === undefined) throw refuse('migration-state-unknown')
  return { ...found, errorReasons: found.errorReasons ?? [] }
}
