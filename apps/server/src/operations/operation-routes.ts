/** What runs, its log, cancel and retry. */
import { type ProcessType, rolesWith } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { accepted, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { cancelOperation, type OperationsCore, retryOperation } from './manage-operation.ts'

type OperationHandlers = Pick<Handlers, 'runningOperations' | 'operationLog' | 'cancelOperation' | 'retryOperation'>

export function operationHandlers(core: OperationsCore): OperationHandlers {
  const { db } = core.database
  return {
    runningOperations: async () => ok(await runningOperations(db)),
    async operationLog({ query, caller }) {
      const operation = await db
        .selectFrom('operations')
        .select(['kind', 'state', 'error'])
        .where('id', '=', query.processId)
        .executeTakeFirst()
      if (operation === undefined) throw refuse('operation-unknown')
      const managedBy = core.kinds.get(operation.kind)?.managedBy ?? 'admin'
      if (!rolesWith[managedBy].includes(caller.role)) throw refuse('not-allowed')
      return ok({
        ...(await logAfter(db, query.processId, query.after)),
        state: operation.state,
        errorText: operation.error,
      })
    },
    async cancelOperation({ params, caller, requestId }) {
      await cancelOperation(core, params.id, { caller, requestId })
      return accepted(params.id)
    },
    async retryOperation({ params, caller, requestId }) {
      await retryOperation(core, params.id, { caller, requestId })
      return accepted(params.id)
    },
  }
}

interface RunningRow {
  operationId: string
  projectRoomName: string
  processType: ProcessType | null
  step: string | null
  progress: number
  startedAt: string
  startedBy: string
}

/** At most 500, oldest first. */
function runningOperations(db: Db): Promise<RunningRow[]> {
  return queryRows<RunningRow>(
    db,
    `select id as "operationId", room_name as "projectRoomName", process_type as "processType", step,
            progress, created_at as "startedAt", started_by as "startedBy"
       from operations where state in ('waiting', 'running', 'cancelling') order by created_at limit 500`,
  )
}

async function logAfter(db: Db, operationId: string, after: number) {
  const steps = await db
    .selectFrom('operation_steps')
    .select(['name', 'state', 'started_at as startedAt', 'ended_at as endedAt'])
    .where('operation_id', '=', operationId)
    .orderBy('position')
    .execute()
  const lines = await db
    .selectFrom('operation_log')
    .select(['n', 'at', 'level', 'text'])
    .where('operation_id', '=', operationId)
    .where('n', '>', after)
    .orderBy('n')
    .limit(1000)
    .execute()
  return { steps, lines }
}
