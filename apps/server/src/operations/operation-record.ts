/**
 * The record of a running operation: its steps, log and progress. Every write names the fence of the worker's claim;
 * a write with an old fence finds no row, which tells the worker that it was overtaken.
 */
import { because, type CodedReason, type Reasons } from '@roomkeeper/contract'
import { recordedFor } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import type { Failure } from './engine/index.ts'
import { Overtaken } from './failures.ts'
import type { StepId, StepRef } from './operation.ts'

export interface Claim {
  operationId: string
  fence: number
}

/**
 * Called before undoing: calls of interrupted steps may still be on their way, and a region that has seen the higher
 * fence refuses them.
 * @throws Overtaken
 */
export async function raiseFence(db: Db, claim: Claim): Promise<number> {
  const [row] = await queryRows<{ fence: number }>(
    db,
    `update operations set fence = fence + 1 where id = $1 and fence = $2 and state in ('running', 'cancelling')
     returning fence`,
    [claim.operationId, claim.fence],
  )
  if (row === undefined) throw new Overtaken()
  return row.fence
}

/** A line of the operation's log. */
export interface LogLine {
  position: number
  level: 'info' | 'warning' | 'error'
  text: string
  /** The codes of the sentences of the text. Absent: it has none. */
  reasons?: Reasons
}

export type StepStart =
  | { now: 'run'; outputs: Outputs; failing: FailingStep | null }
  | { now: 'skip' }
  | { now: 'cancel' }

/** The outputs of the steps that are done, by step id. */
export type Outputs = Readonly<Record<string, unknown>>

/** A step with a series of transient failures and no progress since the first of them. */
export interface FailingStep {
  /** The highest share of the step that was reached, 0 to 1. */
  furthest: number
}

/** A step that has succeeded, with its output. */
export interface StepEnd {
  position: number
  output: unknown
}

interface StartedRow {
  cancelRequested: boolean
  was: string
  began: boolean
  failing: boolean
  furthest: number
  /** Of the steps that were done before this statement. */
  outputs: Outputs | null
  /** Of the step that this statement ended; null: it ended none. */
  ended: Outputs | null
}

/**
 * Decides whether a step is run, skipped or cancelled, and marks it as running if it is to run. The same statement ends
 * the step `before`, if there is one to end. @throws Overtaken; Error when the record lacks one of the steps
 */
export async function startStep(
  { db }: Database,
  claim: Claim,
  step: { position: number; id: string; title: string; stepCount: number },
  before: StepEnd | null,
  lines: readonly LogLine[],
): Promise<StepStart> {
  const [row] = await queryRows<StartedRow>(db, startClaimed, [
    claim.operationId,
    claim.fence,
    asJson(lines),
    step.title,
    step.position / step.stepCount,
    step.position,
    before?.position ?? null,
    asJson(before?.output),
    step.id,
  ])
  if (row === undefined || (before !== null && row.ended === null)) {
    await changeClaimed(db, unchangedClaimed, claim, [])
    throw new Error(`The record of the operation lacks its step ${step.position}, or the one before.`)
  }
  if (row.was === 'done') return { now: 'skip' }
  if (!row.began) return { now: 'cancel' }
  const failing = row.failing ? { furthest: row.furthest } : null
  return { now: 'run', outputs: { ...row.outputs, ...row.ended }, failing }
}

const startClaimed = `${changingClaimed('step = $4, step_id = $9, progress = $5')},
     ended as (
       update operation_steps set state = 'done', ended_at = now(), output = $8::jsonb from held
        where operation_id = $1 and position = $7 returning step_id, output
     ),
     begun as (
       update operation_steps as s set state = 'running', ended_at = null, state_before_undo = null,
              started_at = case when s.state = 'running' then coalesce(s.started_at, now()) else now() end,
              failing_since = case when s.state = 'running' and not s.failing_undo then s.failing_since end,
              failing_undo = false
         from held
        where s.operation_id = $1 and s.position = $6 and s.state <> 'done' and not held.cancel_requested
        returning true as began, s.failing_since, s.furthest
     )
     select held.cancel_requested, s.state as was, begun.began is true as began,
            begun.failing_since is not null as failing, coalesce(begun.furthest, 0) as furthest,
            (select jsonb_object_agg(d.step_id, d.output) from operation_steps d
              where d.operation_id = $1 and d.state = 'done') as outputs,
            (select jsonb_build_object(step_id, output) from ended) as ended
       from held join operation_steps s on s.operation_id = $1 and s.position = $6 left join begun on true`

export function finishStep(
  { db }: Pick<Database, 'db'>,
  claim: Claim,
  { position, output }: StepEnd,
  stepCount: number,
  lines: readonly LogLine[],
): Promise<void> {
  return changeClaimed(db, finishClaimed, claim, lines, [(position + 1) / stepCount, position, asJson(output)])
}

const finishClaimed = `${changingClaimed('progress = $4')}
     update operation_steps set state = 'done', ended_at = now(), output = $6::jsonb from held
      where operation_id = $1 and position = $5 returning position`

/**
 * Marks a step as failed, unless it has already finished in a transaction of its own. The same statement records the
 * failure for which the operation is undone, so that a worker that takes over continues the undo.
 */
export function failStep({ db }: Database, claim: Claim, position: number, failure: Failure): Promise<void> {
  return changeClaimed(
    db,
    `${changingClaimed('failure = coalesce(failure, $5::jsonb)')}
     update operation_steps set state = case when state = 'done' then state else 'failed' end, ended_at = now()
       from held where operation_id = $1 and position = $4 returning position`,
    claim,
    [],
    [position, asJson(failure)],
  )
}

export const wasCancelled = because('operation-cancelled')

/** @param messages added to the reasons of the failure, in the record for a worker that takes over */
export function undoneStep(
  { db }: Database,
  claim: Claim,
  position: number,
  lines: readonly LogLine[],
  messages: Reasons,
): Promise<void> {
  const reasons = `coalesce(failure->'reasons', $6::jsonb) || $5::jsonb`
  return changeClaimed(
    db,
    `${changingClaimed(`failure = case when $5::jsonb = '[]' then failure
                    else jsonb_build_object('reasons', ${reasons}, 'failureCode', failure->'failureCode', 'tookEffect', true) end`)}
     update operation_steps set state = 'undone', ended_at = now(), state_before_undo = state
       from held where operation_id = $1 and position = $4 returning position`,
    claim,
    lines,
    [position, asJson(messages), asJson([wasCancelled])],
  )
}

export function setProgress(
  { db }: Database,
  claim: Claim,
  progress: number,
  lines: readonly LogLine[],
): Promise<void> {
  return changeClaimed(db, progressClaimed, claim, lines, [progress])
}

export function addLogLines({ db }: Database, claim: Claim, lines: readonly LogLine[]): Promise<void> {
  return changeClaimed(db, unchangedClaimed, claim, lines)
}

const progressClaimed = `${changingClaimed('progress = $4')} select from held`
const unchangedClaimed = `${changingClaimed('fence = fence')} select from held`

/** Locks the operation's row until the transaction ends. @throws Overtaken */
export async function lockClaim(tx: Tx, claim: Claim): Promise<void> {
  await changeClaimed(tx, unchangedClaimed, claim, [])
}

/**
 * The start of a statement that changes the operation under its fence ($1, $2), adds lines to its log ($3) and notifies
 * the consoles.
 */
function changingClaimed(change: string): string {
  return `with held as (
      update operations set log_lines = log_lines + jsonb_array_length($3::jsonb), ${change}
       where id = $1 and fence = $2 and state in ('running', 'cancelling')
      returning id, cancel_requested, room_name, log_lines
    ), recorded as (
      ${recordedFor('operation.changed', 'held')}
    ), logged as (
      insert into operation_log (operation_id, n, position, level, text, reasons)
      select $1, held.log_lines - jsonb_array_length($3::jsonb) + line.n,
             (line.value->>'position')::int, line.value->>'level', line.value->>'text', line.value->'reasons'
        from held, jsonb_array_elements($3::jsonb) with ordinality as line(value, n)
    )`
}

/** @throws Overtaken when nothing was changed */
async function changeClaimed(
  db: Db,
  statement: string,
  claim: Claim,
  lines: readonly LogLine[],
  values: readonly unknown[] = [],
): Promise<void> {
  const rows = await queryRows(db, statement, [claim.operationId, claim.fence, asJson(lines), ...values])
  if (rows.length === 0) throw new Overtaken()
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Whether a point of no return is done. @param positions the operation's points of no return */
export async function isPastPointOfNoReturn(
  db: Db,
  operationId: string,
  positions: readonly number[],
): Promise<boolean> {
  if (positions.length === 0) return false
  const done = await queryRows(
    db,
    `select from operation_steps where operation_id = $1 and position = any($2::int[]) and state = 'done'`,
    [operationId, positions],
  )
  return done.length > 0
}

/** The steps that have begun and are not undone, last first. */
export async function stepsToUndo(db: Db, operationId: string): Promise<number[]> {
  const rows = await queryRows<{ position: number }>(
    db,
    `select position from operation_steps where operation_id = $1 and state in ('running', 'done', 'failed')
      order by position desc`,
    [operationId],
  )
  return rows.map((row) => row.position)
}

export async function outputsOf(db: Db, operationId: string): Promise<Outputs> {
  const rows = await queryRows<{ stepId: string; output: unknown }>(
    db,
    `select step_id, output from operation_steps where operation_id = $1 and state = 'done'`,
    [operationId],
  )
  return Object.fromEntries(rows.map((row) => [row.stepId, row.output]))
}

/** The output of a step; null: the step is not done. Shows whether a commit whose answer was lost took effect. */
export async function outputIfDone(
  db: Db | Tx,
  operationId: string,
  position: number,
): Promise<{ output: unknown } | null> {
  const [row] = await queryRows<{ output: unknown }>(
    db,
    `select output from operation_steps where operation_id = $1 and position = $2 and state = 'done'`,
    [operationId, position],
  )
  return row ?? null
}

// Single steps, for the functions of a kind that are not steps, such as `retrying`.

/** Names a step's undo: pass the title for the log, the id for the marks of calls. */
export function undoOf(step: string): string {
  return `undo: ${step}`
}

export type StepState = 'open' | 'running' | 'done' | 'failed' | 'undone'

/** null: the operation does not have this step. */
export async function stateOfStep(db: Db | Tx, operationId: string, step: StepId): Promise<StepState | null> {
  return (await findStep(db, operationId, step))?.state ?? null
}

/** The step's latest output, even if it was undone since; null: no output yet, or no such step in the operation. */
export async function outputOfStep<Output>(
  db: Db | Tx,
  operationId: string,
  step: StepRef<Output>,
): Promise<Output | null> {
  const found = await findStep(db, operationId, step)
  return found == null || found.output === null ? null : step.output.parse(found.output)
}

/** Writes a step's output early, or notes for its next try. @param state `done` also ends the step */
export async function changeOutput<Output>(
  tx: Tx,
  operationId: string,
  step: StepRef<Output>,
  output: Output,
  state?: 'done',
): Promise<void> {
  await queryRows(
    tx,
    `update operation_steps set output = $3, state = coalesce($4, state),
            ended_at = case when $4 is null then ended_at else coalesce(ended_at, now()) end
      where operation_id = $1 and step_id = $2`,
    [operationId, step.id, JSON.stringify(output), state ?? null],
  )
}

async function findStep(db: Db | Tx, operationId: string, { id }: StepId): Promise<FoundStep | undefined> {
  const [step] = await queryRows<FoundStep>(db, stepById, [operationId, id])
  return step
}

interface FoundStep {
  state: StepState
  output: unknown
}

const stepById = `
  select state, output from operation_steps where operation_id = $1 and step_id = $2`

export interface AddedLogLine {
  level: 'info' | 'warning'
  reason: CodedReason
}

/**
 * Adds a line to the log of an operation in any transaction, also after its end: such as whether an e-mail that it
 * queued was sent. Writes nothing if the operation no longer exists.
 */
export async function addLogLine(tx: Tx, operationId: string, { level, reason }: AddedLogLine): Promise<void> {
  const { text, codes } = storedReasons([reason])
  await queryRows(
    tx,
    `with held as (
       update operations set log_lines = log_lines + 1 where id = $1 returning id, room_name, log_lines
     ), recorded as (
      ${recordedFor('operation.changed', 'held')}
     )
     insert into operation_log (operation_id, n, level, text, reasons) select $1, log_lines, $2, $3, $4 from held`,
    [operationId, level, text, codes],
  )
}
