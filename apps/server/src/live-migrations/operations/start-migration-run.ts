/** Starts a run of a configuration, in the transaction of the caller, who records it. */
import { sql } from 'kysely'
import { startOperation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { migrationRun } from './migration-run.ts'

export interface MigrationRunStart {
  migrationId: number
  /** In the order in which they are moved; at least one. Each is checked when its move starts. */
  rooms: readonly { id: string; name: string }[]
  skipActiveSessions: boolean
  startedBy: string
  requestId: string | null
}

/**
 * Sets the configuration RUNNING and starts the run.
 * @returns the operation's id, which is the run's
 * @throws Refusal `migration-unknown`, `migration-running`, `migration-warning`
 */
export async function startMigrationRun(tx: Tx, start: MigrationRunStart): Promise<string> {
  const { migrationId, rooms, skipActiveSessions, startedBy, requestId } = start
  const migration = await tx
    .selectFrom('liveMigrations')
    .selectAll()
    .where('id', '=', migrationId)
    .forUpdate()
    .executeTakeFirst()
  if (migration === undefined) throw refuse('migration-unknown', { id: migrationId })
  if (migration.state === 'RUNNING') throw refuse('migration-running')
  if (migration.warning) throw refuse('migration-warning')
  const input = {
    migrationId,
    sourceRegionId: migration.sourceRegionId,
    targetRegionId: migration.targetRegionId,
    routing: migration.routing,
    parallel: migration.parallel,
    skipActiveSessions,
  }
  const subject = rooms.length === 1 ? '1 project room' : `${rooms.length} project rooms`
  const parts = { input, room: null, subject, regionId: migration.sourceRegionId, startedBy, requestId }
  const runId = await startOperation(tx, migrationRun, parts)
  await enqueueRooms(tx, { runId, migrationId, rooms })
  await tx
    .updateTable('liveMigrations')
    .set({ state: 'RUNNING', runId, startedAt: sql<string>`now()` })
    .where('id', '=', migrationId)
    .execute()
  return runId
}

/** Only the newest run is shown. Of earlier runs, only the rooms that are still under way are kept. */
async function enqueueRooms(
  tx: Tx,
  run: { runId: string; migrationId: number; rooms: MigrationRunStart['rooms'] },
): Promise<void> {
  await queryRows(tx, `delete from operation_items where migration_id = $1 and state <> 'running'`, [run.migrationId])
  await queryRows(
    tx,
    `insert into operation_items (parent_id, position, migration_id, room_id, room_name)
     select $1, position - 1, $2, id, name from unnest($3::uuid[], $4::text[]) with ordinality as room (id, name, position)`,
    [run.runId, run.migrationId, run.rooms.map(({ id }) => id), run.rooms.map(({ name }) => name)],
  )
}
