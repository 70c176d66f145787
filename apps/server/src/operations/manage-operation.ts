/** Cancels and retries operations, from any process, and cancels the waiting children of a parent. */
import {
  type Access,
  because,
  type CodedReason,
  type OperationState,
  type ProcessType,
  type Reasons,
  type Role,
  rolesWith,
} from '@roomkeeper/contract'
import { recordChange, recordedFor } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import type { Caller } from '#platform/http/handler.ts'
import { type Refusal, refuse } from '#platform/refuse.ts'
import { endNeverRun } from './end-operations.ts'
import { enqueue, type Failure } from './engine/index.ts'
import {
  inputForUndo,
  type Operation,
  type OperationKinds,
  type OperationRecord,
  pointsOfNoReturn,
  recordForKind,
} from './operation.ts'
import { slotRegionsOf } from './start-operation.ts'
import { traceparentOfRetry } from './trace-operations.ts'

/** What managing operations needs. No step runs here: only the rules of the kinds are used. */
export interface OperationsCore {
  database: Database
  kinds: OperationKinds
}

/** Who asks, and in which HTTP request. */
export interface ManagingCall {
  caller: Pick<Caller, 'actor' | 'role'>
  requestId: string | null
  /** Instead of the kind's `managedBy`, where that depends on more than the kind. */
  access?: Exclude<Access, 'public'>
}

interface Row extends OperationRecord<unknown> {
  version: number
  processType: string | null
  state: OperationState
  errorReasons: Reasons | null
  failure: Failure | null
  cancelRequested: boolean
  fence: number
  endedAt: string | null
  traceparent: string | null
}

const columns = `id, kind, version, process_type, room_id, room_name, region_id, input, state, error_reasons, failure,
  started_by, request_id, cancel_requested, attempt, fence, ended_at, traceparent`

/**
 * Asks a running operation to stop and undo everything; an operation that has never run ends at once.
 * @throws Refusal `operation-unknown`, `not-allowed`, `operation-ended`, `operation-not-cancellable`
 */
export async function cancelOperation(core: OperationsCore, id: string, call: ManagingCall): Promise<void> {
  await core.database.transaction(async (tx) => {
    const { row, kind } = await lockOperation(core.kinds, tx, id, call)
    if (row.endedAt !== null) throw refuse('operation-ended')
    await checkPointOfNoReturn(tx, row, kind)
    const [ended] = await cancelNeverRun(tx, [{ row, kind }])
    if (ended === undefined) await requestCancel(tx, [id])
    await recordChange(tx, { kind: 'operation.cancel', ...managedBy(row, call) })
  })
}

/**
 * Runs a failed operation again, from the first step that is not done. If its undo was incomplete, only the undo is
 * finished, and the operation ends as it did before.
 * @throws Refusal `operation-unknown`, `not-allowed`, `operation-not-retryable`, `region-disabled`, `room-busy`, `verification-running`
 */
export function retryOperation({ database, kinds }: OperationsCore, id: string, call: ManagingCall): Promise<void> {
  return database.transaction((tx) => retryWithin(tx, kinds, id, call, false))
}

/**
 * The same in a transaction of the caller, of which nothing else may be kept when it throws.
 * @param background no operator waits for it
 */
export async function retryWithin(
  tx: Tx,
  kinds: OperationKinds,
  id: string,
  call: ManagingCall,
  background: boolean,
): Promise<void> {
  const { row, kind } = await lockOperation(kinds, tx, id, call)
  // As the start of an operation does before it inserts one for the room, so that neither waits for the other for ever.
  await queryRows(tx, 'select from rooms where id = $1 for update', [row.roomId])
  const facts = await factsOf(tx, id)
  const refusal = whyNotRetried(kind, row, facts)
  if (refusal !== null) throw refusal
  await checkNewest(tx, row)
  const isFinishingUndo = isUndoIncomplete(kind, facts)
  const record = recordForKind(row, inputForUndo(kind).parse(row.input))
  const slotRegions = slotRegionsOf(kind, { ...record, background })
  await setWaiting(tx, row, {
    isFinishingUndo,
    awaitsSlots: slotRegions.length > 0,
    traceparent: traceparentOfRetry(tx, row.kind, row.traceparent),
  })
  await kind.retrying(tx, record, isFinishingUndo, call.caller)
  if (slotRegions.length > 0) await enqueue(tx, { operationId: id, background }, slotRegions)
  await recordChange(tx, { kind: 'operation.retry', ...managedBy(row, call) })
}

/** Why a retry is refused whatever has become of the room since; null: it is not. */
function whyNotRetried(
  kind: Operation<unknown>,
  { state, version, input }: Pick<Row, 'state' | 'version' | 'input'>,
  facts: RetryFacts,
): Refusal | null {
  if (state !== 'failed') return refuse('operation-not-retryable', { reason: because('not-failed') })
  if (version !== kind.version) return refuse('start-again')
  // An operation's secrets are removed a day after it failed.
  if (!(isUndoIncomplete(kind, facts) || kind.input.safeParse(input).success)) return refuse('start-again')
  return insteadOfRetry(kind, facts)
}

/** What decides about a retry, besides what the operation was started with and the state of its room. */
interface RetryFacts {
  errorCodes: string[]
  /** It is being put back, or was, because somebody cancelled it. */
  wasCancelled: boolean
  /** The positions of its steps. */
  doneSteps: number[]
  hasStepsToUndo: boolean
  /** The name of the region in which it works for a room, if that is disabled. */
  disabledRegion: string | null
}

/** Columns of a statement. @param o the operation's name there */
const retryFacts = (o: string) => `
  array(select reason ->> 'code' from jsonb_array_elements(coalesce(${o}.error_reasons, '[]')) as reason) as error_codes,
  ${o}.cancel_requested and ${o}.failure is null as was_cancelled,
  array(select s.position from operation_steps s where s.operation_id = ${o}.id and s.state = 'done'
         order by s.position) as done_steps,
  exists (select from operation_steps s
           where s.operation_id = ${o}.id and s.state in ('running', 'done', 'failed')) as has_steps_to_undo,
  (select r.name from regions r where r.id = ${o}.region_id and r.state = 'disabled' and ${o}.room_id is not null) as disabled_region`

/**
 * A statement for what failed last in each room: what a retry runs again. Those of the same `likeness` can all be
 * retried, or none of them. Few have failed, and an index finds them, also among those of a million rooms.
 */
export const failedLast = `
  select o.id, o.n, o.room_id, (select to_jsonb(facts) || jsonb_build_array(o.kind, o.version, o.input ? 'sealed')
                             from (select ${retryFacts('o')}) as facts) as likeness
    from operations o
   where o.state = 'failed' and o.process_type is not null
     and not exists (select from operations newer
                      where newer.room_id = o.room_id and newer.n > o.n and newer.parent_id is distinct from o.id)`

export interface RetryPreview {
  /** What it would go on with. */
  process: ProcessType | null
  /** Why it would be refused; null: it may be tried. */
  refusal: CodedReason | null
}

/**
 * What a retry of each of these operations would do, by their ids. Those that no longer exist are left out.
 * @param untilBack the retry waits until the region is enabled
 */
export async function previewRetries(
  db: Db | Tx,
  kinds: OperationKinds,
  ids: readonly string[],
  { role, untilBack }: { role: Role; untilBack: boolean },
): Promise<Map<string, RetryPreview>> {
  if (ids.length === 0) return new Map()
  const rows = await queryRows<Row & RetryFacts>(
    db,
    `select ${columns}, ${retryFacts('o')} from operations o where id = any($1::uuid[])`,
    [ids],
  )
  const refusalOf = (row: Row & RetryFacts, kind: Operation<unknown> | undefined): CodedReason | null => {
    if (kind === undefined) return refuse('operation-unknown').reason
    if (!rolesWith[kind.managedBy].includes(role)) return because('role')
    const facts = untilBack ? { ...row, disabledRegion: null } : row
    const refusal = whyNotRetried(kind, row, facts)
    // The refusal names the region, and a preflight counts the rooms of all disabled ones together.
    return refusal?.code === 'region-disabled' ? because('region-disabled') : (refusal?.reason ?? null)
  }
  return new Map(
    rows.map((row) => {
      const kind = kindOf(kinds, row)
      return [row.id, { process: kind?.process ?? null, refusal: refusalOf(row, kind) }]
    }),
  )
}

/** What to do instead of a retry that would fail again; null: a retry may help, or only has to finish the undo. */
export async function whyNotRetry(
  { database: { db }, kinds }: OperationsCore,
  row: Pick<Row, 'id' | 'kind' | 'version' | 'state'>,
): Promise<CodedReason | null> {
  const kind = kindOf(kinds, row)
  if (kind === undefined || row.state !== 'failed') return null
  return insteadOfRetry(kind, await factsOf(db, row.id))?.reason ?? null
}

function insteadOfRetry(kind: Operation<unknown>, facts: RetryFacts): Refusal | null {
  if (isUndoIncomplete(kind, facts)) return null
  const { disabledRegion: region } = facts
  if (region !== null && kind.worksInDisabledRegion !== true) return refuse('region-disabled', { region })
  const useless: Readonly<Record<string, CodedReason>> = kind.uselessRetries ?? {}
  const reason = facts.errorCodes.flatMap((code) => useless[code] ?? [])[0]
  return reason === undefined ? null : refuse('operation-not-retryable', { reason })
}

async function factsOf(db: Db | Tx, id: string): Promise<RetryFacts> {
  const [facts] = await queryRows<RetryFacts>(db, `select ${retryFacts('o')} from operations o where id = $1`, [id])
  if (facts === undefined) throw new Error('The operation is gone.')
  return facts
}

interface NextAttempt {
  /** The worker only finishes the undo: `cancel_requested` is kept, and `failure` says why it is undone. */
  isFinishingUndo: boolean
  awaitsSlots: boolean
  traceparent: string | null
}

/** @throws Refusal `room-busy`, `verification-running` */
async function setWaiting(tx: Tx, row: Row, { isFinishingUndo, awaitsSlots, traceparent }: NextAttempt): Promise<void> {
  const failure = isFinishingUndo ? whyUndone(row) : null
  try {
    await queryRows(tx, setOperationWaiting, [
      row.id,
      isFinishingUndo,
      failure === null ? null : JSON.stringify(failure),
      awaitsSlots,
      traceparent,
    ])
  } catch (error) {
    if (violatesUnique(error, 'operations_one_per_room')) throw refuse('room-busy', { room: row.roomName })
    throw violatesUnique(error, 'operations_one_verification') ? refuse('verification-running') : error
  }
  await queryRows(tx, 'update operation_steps set failing_since = null where operation_id = $1', [row.id])
}

const setOperationWaiting = `
  update operations
     set state = 'waiting', attempt = attempt + 1, error = null, error_reasons = null, executed_at = now(),
         ended_at = null, cancel_requested = cancel_requested and $2, failure = $3::jsonb, step = null, step_id = null,
         awaits_slots = $4, traceparent = $5
   where id = $1`

/** null: because it was cancelled */
function whyUndone({ failure, cancelRequested, errorReasons }: Row): Failure | null {
  if (failure !== null || cancelRequested) return failure
  return { reasons: errorReasons ?? [], failureCode: null }
}

async function lockOperation(kinds: OperationKinds, tx: Tx, id: string, { caller, access }: ManagingCall) {
  const [row] = await queryRows<Row>(tx, `select ${columns} from operations where id = $1 for update`, [id])
  const kind = row === undefined ? undefined : kindOf(kinds, row)
  if (row === undefined || kind === undefined) throw refuse('operation-unknown')
  if (!rolesWith[access ?? kind.managedBy].includes(caller.role)) throw refuse('not-allowed')
  return { row, kind }
}

function kindOf(kinds: OperationKinds, { kind, version }: Pick<Row, 'kind' | 'version'>) {
  return kinds.find(kind, version) ?? kinds.newest(kind)
}

function managedBy({ id, kind, processType, roomId, roomName }: Row, { caller, requestId }: ManagingCall) {
  return {
    actor: caller.actor,
    requestId,
    operationId: id,
    room: roomId === null ? null : { id: roomId, name: roomName },
    roomName,
    detail: because('audit-process', { process: processType ?? kind }),
  }
}

/** @throws Refusal once the operation has begun its point of no return */
async function checkPointOfNoReturn(tx: Tx, row: Row, kind: Operation<unknown>): Promise<void> {
  const points = pointsOfNoReturn(kind)
  if (points.length === 0) return
  const [begun] = await queryRows<{ position: number }>(
    tx,
    `select position from operation_steps where operation_id = $1 and position = any($2::int[]) and state <> 'open'`,
    [row.id, points],
  )
  if (begun === undefined) return
  const { title: step, id: stepId } = kind.steps[begun.position] as { title: string; id: string }
  throw refuse('operation-not-cancellable', { reason: because('past-return', { step, stepId }) })
}

/** Operations that this one started itself do not count as newer. @throws Refusal */
async function checkNewest(tx: Tx, row: Row): Promise<void> {
  if (row.roomId === null) return
  const [newer] = await queryRows(
    tx,
    `select 1 from operations
      where room_id = $1 and n > (select n from operations where id = $2)
        and parent_id is distinct from $2 limit 1`,
    [row.roomId, row.id],
  )
  if (newer !== undefined) {
    throw refuse('operation-not-retryable', { reason: because('newer-operation') })
  }
}

function isUndoIncomplete(kind: Operation<unknown>, { wasCancelled, doneSteps, hasStepsToUndo }: RetryFacts): boolean {
  if (kind.whenFailed !== 'undo' && !wasCancelled) return false
  return hasStepsToUndo && !pointsOfNoReturn(kind).some((position) => doneSteps.includes(position))
}

const cancelledAtOnce = 50

/**
 * Cancels some of the waiting children; running children continue. A child that has never run ends here, so it need not
 * wait for a slot. A worker ends the others, and those of kinds that this process does not know, when it claims them.
 * @returns how many were cancelled; 0: all are
 */
export async function cancelSomeChildren(tx: Tx, kinds: OperationKinds, parentId: string): Promise<number> {
  // One that is being claimed is looked at again by the caller.
  const waiting = await queryRows<Row>(
    tx,
    `select ${columns} from operations where parent_id = $1 and state = 'waiting' and not cancel_requested
      order by id limit $2 for update skip locked`,
    [parentId, cancelledAtOnce],
  )
  const known = waiting.flatMap((row) => {
    const kind = kinds.find(row.kind, row.version)
    return kind === undefined ? [] : [{ row, kind }]
  })
  const ended = new Set(await cancelNeverRun(tx, known))
  await requestCancel(
    tx,
    waiting.map(({ id }) => id).filter((id) => !ended.has(id)),
  )
  return waiting.length
}

/**
 * Ends the operations that have never run and whose input can be read; there is nothing to undo. The caller has locked
 * them.
 * @returns their ids
 */
async function cancelNeverRun(tx: Tx, known: readonly { row: Row; kind: Operation<unknown> }[]): Promise<string[]> {
  const neverRun = known.flatMap(({ row, kind }) => {
    const input = inputForUndo(kind).safeParse(row.input)
    const isNew = row.state === 'waiting' && row.fence === 0
    return isNew && input.success ? [{ kind, record: recordForKind(row, input.data) }] : []
  })
  const ids = neverRun.map(({ record }) => record.id)
  if (ids.length > 0) await endNeverRun(tx, ids, 'cancelled')
  for (const { kind, record } of neverRun) await kind.cancelled(tx, record)
  return ids
}

/** Notifies the worker of an operation at once. If it has no worker, the one that claims it undoes its steps. */
async function requestCancel(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await queryRows(
    tx,
    `with cancelled as (
       update operations
          set cancel_requested = true, state = case state when 'waiting' then state else 'cancelling' end
        where id = any($1::uuid[]) returning id, room_name, worker_id
     ), recorded as (
      ${recordedFor('operation.changed', 'cancelled')}
     )
     select pg_notify('roomkeeper_work', 'cancel ' || id) from cancelled where worker_id is not null`,
    [ids],
  )
}
