/** The calls about bulks: preflight, start, progress, rooms, cancel, retry; and the updates of system databases. */
import { because, type CsvForm } from '@roomkeeper/contract'
import { mayTakeInBulk, roleAllows } from '@roomkeeper/rules'
import { cancelOperation, type OperationsCore, retryWithin } from '#operations/index.ts'
import { answerWithTicket, type Reading, redeemTicket } from '#operators/index.ts'
import { accepted, asAttachment, type Caller, type Handlers, ok, type StreamReply } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { preflight } from './preflight.ts'
import { raiseAccess, startBulk } from './start-bulk.ts'
import { exportItems, findBulk, type ItemQuery, listBulks, listItems } from './stored-bulks.ts'
import { startUpdate } from './system-databases.ts'

type BulkHandlers = Pick<
  Handlers,
  | 'preflightBulk'
  | 'startBulk'
  | 'bulks'
  | 'bulk'
  | 'bulkItems'
  | 'createBulkItemsTicket'
  | 'downloadBulkItems'
  | 'cancelBulk'
  | 'retryBulk'
  | 'updateSystemDatabases'
  | 'updateSystemDatabasesOfRegion'
>

export function bulkHandlers(core: OperationsCore): BulkHandlers {
  const { database } = core
  const { db } = database
  const sendItems = async (id: string, query: ItemQuery & { csv: CsvForm }, reading: Reading): Promise<StreamReply> => {
    await findBulk(db, id)
    const stream = await exportItems(database, id, query, reading)
    return { status: 200, stream, headers: asAttachment(`bulk_${id}.csv`), caller: reading.caller }
  }
  /** @throws Refusal `not-allowed` unless the caller may take the action of the bulk for its rooms */
  const managing = async (id: string, call: { caller: Caller; requestId: string }) => {
    const bulk = await findBulk(db, id)
    const { access } = bulk
    if (!roleAllows(call.caller.role, access)) throw refuse('not-allowed')
    return { bulk, by: { caller: call.caller, requestId: call.requestId, access } }
  }
  return {
    async preflightBulk({ body, caller }) {
      if (!mayTakeInBulk(body.action, caller.role)) throw refuse('not-allowed')
      return ok(await preflight(core, body, caller.role))
    },
    async startBulk(call) {
      const operationId = await startBulk(core, call.body, call)
      return { status: 202, body: { operationId, total: (await findBulk(db, operationId)).total } }
    },
    bulks: async ({ query }) => ok(await listBulks(db, query)),
    bulk: async ({ params }) => ok(await findBulk(db, params.id)),
    async bulkItems({ params, query, ...reading }) {
      if (query.download) return sendItems(params.id, query, reading)
      await findBulk(db, params.id)
      return ok(await listItems(db, params.id, query))
    },
    async createBulkItemsTicket({ body, caller }) {
      await findBulk(db, body.id)
      database.exports.check(caller.operatorId)
      return answerWithTicket(db, 'downloadBulkItems', body, caller)
    },
    async downloadBulkItems({ params, address, requestId }) {
      const { wanted, caller } = await redeemTicket(db, 'downloadBulkItems', params.ticket, address)
      const { id, ...query } = wanted
      return sendItems(id, query, { caller, requestId })
    },
    async cancelBulk(call) {
      const { bulk, by } = await managing(call.params.id, call)
      if (bulk.endedAt !== null) throw refuse('bulk-ended')
      await cancelOperation(core, bulk.id, by)
      return accepted(bulk.id)
    },
    async retryBulk(call) {
      const { bulk, by } = await managing(call.params.id, call)
      if (!bulk.canRetry) throw refuse('bulk-not-retryable', { reason: because('no-room-failed') })
      await database.transaction(async (tx) => {
        await retryWithin(tx, core.kinds, bulk.id, by, false)
        await raiseAccess(core, tx, bulk, call.caller.role)
      })
      return accepted(bulk.id)
    },
    updateSystemDatabases: async (call) => accepted(await startUpdate(database, null, 'updateSystemDatabases', call)),
    updateSystemDatabasesOfRegion: async (call) =>
      accepted(await startUpdate(database, call.body.regionId, 'updateSystemDatabasesOfRegion', call)),
  }
}
