/** The calls about what became of rooms: the state entries, their logs, their export, and the force delete. */
import { because, type CsvForm } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { answerWithTicket, type Reading, redeemTicket } from '#operators/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { accepted, asAttachment, type Handlers, noContent, ok, type StreamReply } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findMigration, lockMigration, wayOf } from './configurations.ts'
import { exportLogs } from './export-logs.ts'
import { startForceDelete } from './start-force-delete.ts'
import { findLogs, listStates } from './state-entries.ts'

type StateHandlers = Pick<
  Handlers,
  | 'migrationStates'
  | 'deleteMigrationStates'
  | 'forceDeleteFailedRooms'
  | 'migrationStateLogs'
  | 'exportMigrationLogs'
  | 'createMigrationLogsTicket'
  | 'downloadMigrationLogs'
>

export function stateHandlers(database: Database): StateHandlers {
  const { db } = database
  const sendLogs = async (wanted: { id: number; csv: CsvForm }, reading: Reading): Promise<StreamReply> => {
    await findMigration(db, wanted.id)
    const stream = await exportLogs(database, wanted, reading)
    return {
      status: 200,
      stream,
      headers: asAttachment(`livemigration_logs_${new Date().toISOString()}.csv`),
      caller: reading.caller,
    }
  }
  return {
    async migrationStates({ body }) {
      await findMigration(db, body.id)
      return ok(await listStates(db, body.id))
    },
    /** Ignores entries that another operator has deleted meanwhile; if none is left, the answer is 404. */
    async deleteMigrationStates({ body, caller, requestId }) {
      const { states, liveMigrationDataID: id } = body
      await database.transaction(async (tx) => {
        const migration = await lockMigration(tx, id)
        const gone = await queryRows(
          tx,
          'delete from live_migration_states where migration_id = $1 and id = any($2::integer[]) returning id',
          [id, states],
        )
        if (gone.length === 0) throw refuse('migration-state-unknown')
        const detail = because('audit-states-deleted', { way: wayOf(migration), entries: gone.length })
        const by = { actor: caller.actor, requestId }
        await recordChange(tx, { kind: 'live-migration.delete-states', ...by, migrationId: id, detail })
      })
      return noContent
    },
    forceDeleteFailedRooms: async (call) => accepted(await startForceDelete(database, call.body, call)),
    migrationStateLogs: async ({ query }) => ok(await findLogs(db, query.stateId)),
    exportMigrationLogs: (call) => sendLogs(call.query, call),
    async createMigrationLogsTicket({ body, caller }) {
      await findMigration(db, body.id)
      database.exports.check(caller.operatorId)
      return answerWithTicket(db, 'downloadMigrationLogs', body, caller)
    },
    async downloadMigrationLogs({ params, address, requestId }) {
      const { wanted, caller } = await redeemTicket(db, 'downloadMigrationLogs', params.ticket, address)
      return sendLogs(wanted, { caller, requestId })
    },
  }
}
