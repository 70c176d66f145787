/** The calls about configurations: list, read, save, delete; and the rooms that can be picked for one. */
import { whyNotDeleteMigration } from '@roomkeeper/rules'
import { type AuditContext, recordChange } from '#changes/index.ts'
import { exportReader } from '#operators/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { type Handlers, noContent, ok, okAsFile } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { listMovableRooms } from '#rooms/index.ts'
import {
  checkRunHasEnded,
  clearWarnings,
  findMigration,
  listMigrations,
  lockMigration,
  wayOf,
} from './configurations.ts'
import { saveMigration } from './save-configuration.ts'

type ConfigurationHandlers = Pick<
  Handlers,
  'liveMigrations' | 'liveMigration' | 'saveLiveMigration' | 'deleteLiveMigration' | 'migrationRooms'
>

export function configurationHandlers(database: Database): ConfigurationHandlers {
  const { db } = database
  return {
    async liveMigrations({ query, ...reading }) {
      await clearWarnings(db)
      const all = await listMigrations(db)
      if (query.download) await exportReader(db, 'export.migrations', {}, reading).record(all.length)
      return query.download ? okAsFile(all, `livemigration_config_${new Date().toISOString()}.txt`) : ok(all)
    },
    liveMigration: async ({ params }) => ok(await findMigration(db, params.id)),
    async saveLiveMigration({ body, caller, requestId }) {
      return ok(await saveMigration(database, body, { actor: caller.actor, requestId }))
    },
    async deleteLiveMigration({ body, caller, requestId }) {
      await deleteMigration(database, body.id, { actor: caller.actor, requestId })
      return noContent
    },
    async migrationRooms({ query, body }) {
      const { sourceRegion } = await findMigration(db, body.liveMigrationData.id)
      return ok(await listMovableRooms(database, { regionId: sourceRegion, search: body.search }, query))
    },
  }
}

/** With its state entries. @throws Refusal `migration-unknown`, `migration-running`, `migration-warning` … */
function deleteMigration(database: Database, id: number, by: AuditContext): Promise<void> {
  return database.transaction(async (tx) => {
    const migration = await lockMigration(tx, id)
    const reason = whyNotDeleteMigration(migration)
    if (reason !== null) throw refuse(reason)
    await checkRunHasEnded(tx, id)
    await queryRows(tx, 'delete from live_migrations where id = $1', [id])
    await recordChange(tx, {
      kind: 'live-migration.delete',
      ...by,
      migrationId: id,
      regionIds: [migration.targetRegion],
      detail: wayOf(migration),
    })
  })
}
