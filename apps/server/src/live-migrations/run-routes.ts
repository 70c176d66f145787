/** The calls about runs: preflight, start, stop, reset priority, progress. */
import { because, type LiveMigration } from '@roomkeeper/contract'
import { whyNotResetPriority, whyNotStopMigration } from '@roomkeeper/rules'
import { type AuditContext, recordChange } from '#changes/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findMigration, lockMigration, wayOf } from './configurations.ts'
import { preflight } from './preflight/preflight.ts'
import { migrationProgress } from './progress.ts'
import { type MigrationParts, startMigration } from './start-migration.ts'

type RunHandlers = Pick<
  Handlers,
  | 'preflightLiveMigration'
  | 'startLiveMigration'
  | 'stopLiveMigration'
  | 'resetLiveMigrationPriority'
  | 'liveMigrationProgress'
>

export function runHandlers(parts: MigrationParts): RunHandlers {
  const { database } = parts
  return {
    preflightLiveMigration: async ({ query, body, signal }) => ok(await preflight(parts, body, query, signal)),
    startLiveMigration: async (call) => accepted(await startMigration(parts, call.body, call)),
    stopLiveMigration: async ({ body, caller, requestId }) =>
      ok(await stopMigration(database, body.id, { actor: caller.actor, requestId })),
    resetLiveMigrationPriority: async ({ body, caller, requestId }) =>
      ok(await resetPriority(database, body, { actor: caller.actor, requestId })),
    async liveMigrationProgress({ params }) {
      await findMigration(database.db, params.id)
      return ok(await migrationProgress(database.db, params.id))
    },
  }
}

/** The run starts no further moves. The warning says that it may still touch rooms until the moves in flight end. */
function stopMigration(database: Database, id: number, by: AuditContext): Promise<LiveMigration> {
  return database.transaction(async (tx) => {
    const migration = await lockMigration(tx, id)
    const reason = whyNotStopMigration(migration)
    if (reason !== null) throw refuse(reason)
    await queryRows(tx, `update live_migrations set state = 'STOPPED', warning = true where id = $1`, [id])
    await recordChange(tx, { kind: 'live-migration.stop', ...by, migrationId: id, detail: wayOf(migration) })
    return findMigration(tx, id)
  })
}

/** @throws Refusal `migration-unknown`, `priority-not-reset` */
function resetPriority(
  database: Database,
  request: { id: number; all: boolean },
  by: AuditContext,
): Promise<LiveMigration> {
  const { id, all } = request
  return database.transaction(async (tx) => {
    const migration = await lockMigration(tx, id)
    const reason = whyNotResetPriority(migration)
    if (reason !== null) throw refuse('priority-not-reset', { reason: because(reason) })
    const reset = await queryRows(
      tx,
      `update rooms set priority = 0 where priority <> 0
          and id in (select room_id from live_migration_states where migration_id = $1) returning id`,
      [id],
    )
    if (all) await queryRows(tx, 'update live_migrations set warning = false where id = $1', [id])
    const changes = [
      { field: 'projectRoomsWithPriority', from: reset.length, to: 0 },
      { field: 'isWarningEnabled', from: migration.isWarningEnabled, to: migration.isWarningEnabled && !all },
    ].filter(({ from, to }) => from !== to)
    const detail = wayOf(migration)
    await recordChange(tx, { kind: 'live-migration.reset-priority', ...by, migrationId: id, detail, changes })
    return findMigration(tx, id)
  })
}
