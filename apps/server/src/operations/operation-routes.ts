/** Lists current and past operations, reads their logs, cancels and retries them. */
import {
  englishReason,
  type FinishedOperation,
  fieldError,
  logLinesAtMost,
  type OperationState,
  type OperationSummary,
  type ProcessType,
  processTypeCode,
  type Reasons,
  rolesWith,
} from '@roomkeeper/contract'
import { isActorOf } from '@roomkeeper/rules'
import { type Db, queryRows } from '#platform/database.ts'
import { accepted, type Caller, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { cancelOperation, type OperationsCore, retryOperation, whyNotRetry } from './manage-operation.ts'
import { beforeUndoOf, findMonitoringPage, namedRegions, partsOfEntry, stateOfEntry } from './monitoring.ts'
import type { StepState } from './operation-record.ts'
import { waitingStepSql } from './waiting-step.ts'

type OperationCalls =
  | 'runningOperations'
  | 'finishedOperations'
  | 'monitoring'
  | 'operationLog'
  | 'cancelOperation'
  | 'retryOperation'
type OperationHandlers = Pick<Handlers, OperationCalls>

export function operationHandlers(core: OperationsCore): OperationHandlers {
  const { db } = core.database
  return {
    runningOperations: async ({ caller }) => ok(await runningOperations(core, caller)),
    finishedOperations: async ({ query, caller }) => ok(await finishedOperations(core, query.ids, caller)),
    async monitoring({ query }) {
      const { page, size, sort_by, order_by, name_search: name } = query
      const processes = processesOf(query.type_filter)
      const kinds = query.kind_filter.map((kind) => ({ kind, process: core.kinds.newest(kind)?.process ?? null }))
      return ok(await findMonitoringPage(db, { page, size, sort_by, order_by, name, processes, kinds }))
    },
    operationLog: async ({ query, caller }) => ok(await findLog(core, query, caller)),
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

/**
 * At most 500, oldest first. What an operation of a room waits for is part of the room, which every role sees; of others,
 * such as a purge, only roles that may manage them and the operator who started them see it.
 */
async function runningOperations({ database, kinds }: OperationsCore, caller: Caller): Promise<OperationSummary[]> {
  const rows = await queryRows<OperationSummary & { isOfRoom: boolean }>(
    database.db,
    `select o.id as operation_id, kind, room_name as project_room_name, process_type, step, step_id, progress,
            created_at as started_at, started_by, failure is not null as is_being_put_back,
            ${waitingStepSql} as waiting, ${namedRegions('o')}, room_id is not null as is_of_room
       from operations o where state in ('waiting', 'running', 'cancelling') order by created_at limit 500`,
  )
  return rows.map(({ isOfRoom, ...row }) =>
    isOfRoom || maySeeWhy(kinds, row, caller) ? row : { ...row, waiting: null },
  )
}

/** Whether the caller may read the logs of the operation, and so why it fails. */
function maySeeWhy(
  kinds: OperationsCore['kinds'],
  { kind, startedBy }: Pick<OperationSummary, 'kind' | 'startedBy'>,
  { role, email }: Caller,
): boolean {
  return rolesWith[kinds.newest(kind)?.managedBy ?? 'admin'].includes(role) || isActorOf(startedBy, email)
}

/** @throws Refusal `invalid-input` */
function processesOf(numbers: readonly string[]): ProcessType[] {
  return numbers.map((text) => {
    const read = processTypeCode.safeDecode(text.trim() === '' ? Number.NaN : Number(text))
    if (read.success) return read.data
    throw refuseInput([fieldError('type_filter', 'process-type-no-number', { given: text })])
  })
}

interface LoggedOperation {
  id: string
  kind: string
  version: number
  state: OperationState
  error: string | null
  errorReasons: Reasons | null
}

/** The log of an operation, or of a step with its own entry. @throws Refusal `operation-unknown`, `not-allowed` */
async function findLog(
  core: OperationsCore,
  { processId, after }: { processId: string; after: number },
  caller: Caller,
) {
  const { db } = core.database
  const { operationId, position } = partsOfEntry(processId)
  const [operation] = await queryRows<LoggedOperation>(
    db,
    `select id, kind, version, state, error, error_reasons from operations where id = $1`,
    [operationId],
  )
  if (operation === undefined) throw refuse('operation-unknown')
  const managedBy = core.kinds.newest(operation.kind)?.managedBy ?? 'admin'
  if (!rolesWith[managedBy].includes(caller.role)) throw refuse('not-allowed')
  const lines = await linesAfter(db, operationId, position, after)
  const found = await stepsOf(db, operationId, position)
  const steps = found.map(({ stateBeforeUndo: _, ...shown }) => shown)
  const errorReasons = operation.errorReasons ?? []
  const instead = await whyNotRetry(core, operation)
  const failed = {
    errorText: operation.error,
    errorReasons,
    whyNotRetry: instead === null ? null : { text: englishReason(instead), reasons: [instead] },
  }
  if (position === null) return { state: operation.state, isUndone: false, hasFailed: false, steps, lines, ...failed }
  const [step] = found
  if (step === undefined) throw refuse('operation-unknown')
  const beforeUndo = beforeUndoOf(step)
  const failure = step.state === 'failed' || beforeUndo.hasFailed ? failed : noFailure
  return { state: stateOfEntry(step.state), ...beforeUndo, steps, lines, ...failure }
}

interface LoggedStep {
  name: string
  state: StepState
  stateBeforeUndo: 'running' | 'done' | 'failed' | null
  startedAt: string | null
  endedAt: string | null
  id: string
}

function stepsOf(db: Db, operationId: string, position: number | null): Promise<LoggedStep[]> {
  return queryRows<LoggedStep>(
    db,
    `select name, state, state_before_undo, started_at, ended_at, step_id as id from operation_steps
      where operation_id = $1 and ($2::int is null or position = $2) order by position`,
    [operationId, position],
  )
}

const noFailure = { errorText: null, errorReasons: [], whyNotRetry: null }

interface FoundLine {
  n: number
  at: string
  level: 'info' | 'warning' | 'error'
  text: string
  reasons: Reasons | null
}

async function linesAfter(db: Db, operationId: string, position: number | null, after: number) {
  // Two texts, so that the plan of each uses its index.
  const ofStep = position === null ? '$3::int is null' : 'position = $3'
  const found = await queryRows<FoundLine>(
    db,
    `select n, at, level, text, reasons from operation_log
      where operation_id = $1 and n > $2 and ${ofStep} order by n limit $4`,
    [operationId, after, position, logLinesAtMost],
  )
  return found.map((line) => ({ ...line, reasons: line.reasons ?? [] }))
}

const hours = 12
const mostShown = 50
/** So many are read before failures are put first: a failure stays in view although many others succeed after it. */
const mostRead = 5000

/**
 * What has ended lately, for the panel of operations and for programs that wait for an operation's end. Every operator
 * sees how operations ended. Roles that may manage a kind, and so read its logs, also see why one failed, as does the
 * operator who started it, also with a token.
 * @param ids the operations to look for; empty: those of the last hours, failures first, then by their end. Parts of
 *   other operations are left out unless they failed, and so are successes of work that no operator waits for.
 */
async function finishedOperations(
  { database: { db }, kinds }: Pick<OperationsCore, 'database' | 'kinds'>,
  ids: readonly string[],
  caller: Caller,
): Promise<FinishedOperation[]> {
  const rows = await (ids.length === 0 ? readRecent(db) : readSome(db, ids))
  return rows.map((row) => (maySeeWhy(kinds, row, caller) ? row : { ...row, errorText: null, errorReasons: [] }))
}

const columns = `o.id as operation_id, kind, process_type, room_name as project_room_name, state, started_by, ended_at,
  case when state = 'failed' then error end as error_text,
  coalesce(case when state = 'failed' then error_reasons end, '[]') as error_reasons, ${namedRegions('o')}`

function readRecent(db: Db): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from (
        select * from operations where ended_at > now() - make_interval(hours => $1) order by ended_at desc limit $2
      ) as o
      where state = 'failed' or (parent_id is null
        and (process_type is not null or room_id is not null or started_by <> 'system'))
      order by state <> 'failed', ended_at desc limit $3`,
    [hours, mostRead, mostShown],
  )
}

function readSome(db: Db, ids: readonly string[]): Promise<FinishedOperation[]> {
  return queryRows<FinishedOperation>(
    db,
    `select ${columns} from operations o where id = any($1::uuid[]) and state in ('done', 'failed', 'cancelled')`,
    [ids],
  )
}
