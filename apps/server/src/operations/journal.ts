/**
 * The record of a running operation: its steps, log and progress. Every write names the fence under which the
 * worker runs; a write under an old fence finds no row, and the worker knows that it was overtaken.
 */

import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { Overtaken } from './failures.ts'

export interface Hold {
  operationId: string
  fence: number
}

export interface BegunOperation {
  id: string
  kind: string
  version: number
  room_id: string | null
  room_name: string
  region_id: number | null
  input: unknown
  started_by: string
  request_id: string | null
  attempt: number
  fence: number
}

/** Takes the operation; null when it has ended or another attempt runs. */
export async function takeOperation(db: Db, operationId: string, attempt: number): Promise<BegunOperation | null> {
  const [row] = await queryRows<BegunOperation>(
    db,
    `update operations set fence = fence + 1, executed_at = case when state = 'waiting' then now() else executed_at end,
            state = case when cancel_requested then 'cancelling' else 'running' end
      where id = $1 and attempt = $2 and state in ('waiting', 'running', 'cancelling')
      returning id, kind, version, room_id, room_name, region_id, input, started_by, request_id, attempt, fence`,
    [operationId, attempt],
  )
  return row ?? null
}

/**
 * Before undoing: calls of the steps that were cut off may still be on their way; from now on regions refuse them.
 * @throws Overtaken
 */
export async function raiseFence(db: Db, hold: Hold): Promise<number> {
  const [row] = await queryRows<{ fence: number }>(
    db,
    `update operations set fence = fence + 1 where id = $1 and fence = $2 and state in ('running', 'cancelling')
     returning fence`,
    [hold.operationId, hold.fence],
  )
  if (row === undefined) throw new Overtaken()
  return row.fence
}

export type StepStart = { now: 'run'; startedAt: string } | { now: 'skip'; output: unknown } | { now: 'cancel' }

/** Says what to do with a step, and marks it as running when it is to run. */
export function startStep(
  database: Database,
  hold: Hold,
  position: number,
  name: string,
  steps: number,
): Promise<StepStart> {
  return database.transaction(async (tx) => {
    const operation = await holdRow(tx, hold, { step: name, progress: position / steps })
    const step = await tx
      .selectFrom('operation_steps')
      .selectAll()
      .where('operation_id', '=', hold.operationId)
      .where('position', '=', position)
      .executeTakeFirstOrThrow()
    if (step.state === 'done') return { now: 'skip', output: step.output }
    if (operation.cancel_requested) return { now: 'cancel' }
    const startedAt = step.state === 'running' && step.started_at !== null ? step.started_at : new Date().toISOString()
    await setStep(tx, hold, position, { state: 'running', started_at: startedAt, ended_at: null })
    return { now: 'run', startedAt }
  })
}

export function finishStep(
  database: Database,
  hold: Hold,
  position: number,
  steps: number,
  output: unknown,
): Promise<void> {
  return database.transaction(async (tx) => {
    await holdRow(tx, hold, { progress: (position + 1) / steps })
    const json = output === undefined ? null : JSON.stringify(output)
    await setStep(tx, hold, position, { state: 'done', ended_at: new Date().toISOString(), output: json })
  })
}

export function markStep(database: Database, hold: Hold, position: number, state: 'failed' | 'undone'): Promise<void> {
  return database.transaction(async (tx) => {
    await holdRow(tx, hold, {})
    await setStep(tx, hold, position, { state, ended_at: new Date().toISOString() })
  })
}

export async function setProgress(database: Database, hold: Hold, progress: number): Promise<void> {
  await database.transaction(async (tx) => {
    await holdRow(tx, hold, { progress })
  })
}

export function addLogLine(
  database: Database,
  hold: Hold,
  level: 'info' | 'warning' | 'error',
  text: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    await holdRow(tx, hold, {})
    await queryRows(
      tx,
      `insert into operation_log (operation_id, n, level, text)
       select $1, coalesce(max(n), 0) + 1, $2, $3 from operation_log where operation_id = $1`,
      [hold.operationId, level, text],
    )
  })
}

/** The steps that have begun and are not undone, last first. */
export async function stepsToUndo(db: Db, operationId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('operation_steps')
    .select('position')
    .where('operation_id', '=', operationId)
    .where('state', 'in', ['running', 'done', 'failed'])
    .orderBy('position', 'desc')
    .execute()
  return rows.map((row) => row.position)
}

export async function outputsOf(db: Db, operationId: string): Promise<Map<string, unknown>> {
  const rows = await db
    .selectFrom('operation_steps')
    .select(['name', 'output'])
    .where('operation_id', '=', operationId)
    .where('state', '=', 'done')
    .execute()
  return new Map(rows.map((row) => [row.name, row.output]))
}

export async function cancelIsRequested(db: Db, operationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operations')
    .select('cancel_requested')
    .where('id', '=', operationId)
    .executeTakeFirst()
  return row?.cancel_requested === true
}

/** Ends the operation, with `settle` in the same transaction; false when it had already ended. */
export function endOperation(
  database: Database,
  hold: Hold,
  end: { state: 'done' | 'failed' | 'cancelled'; error: string | null },
  settle: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [open] = await queryRows<{ state: string; fence: number }>(
      tx,
      'select state, fence from operations where id = $1 for update',
      [hold.operationId],
    )
    if (open === undefined || ['done', 'failed', 'cancelled'].includes(open.state)) return false
    const progress = end.state === 'done' ? { progress: 1, step: null } : {}
    await holdRow(tx, hold, { state: end.state, error: end.error, ended_at: new Date().toISOString(), ...progress })
    if (end.state !== 'failed') await forgetSecrets(tx, hold.operationId)
    await settle(tx)
    return true
  })
}

/** Nobody needs them any more once the operation cannot run again. */
export async function forgetSecrets(tx: Tx, operationId: string): Promise<void> {
  await queryRows(tx, `update operations set input = input - 'sealed' where id = $1 and input ? 'sealed'`, [
    operationId,
  ])
}

type OperationChange = Partial<{
  step: string | null
  progress: number
  state: 'done' | 'failed' | 'cancelled'
  error: string | null
  ended_at: string
}>

/** Changes the operation under its fence and tells the consoles. @throws Overtaken */
async function holdRow(tx: Tx, hold: Hold, change: OperationChange): Promise<{ cancel_requested: boolean }> {
  const row = await tx
    .updateTable('operations')
    .set({ ...change, fence: hold.fence })
    .where('id', '=', hold.operationId)
    .where('fence', '=', hold.fence)
    .where('state', 'in', ['running', 'cancelling'])
    .returning(['cancel_requested', 'room_name'])
    .executeTakeFirst()
  if (row === undefined) throw new Overtaken()
  await announce(tx, { type: 'operation', operationId: hold.operationId, room: row.room_name })
  return row
}

type StepChange = Partial<{
  state: 'running' | 'done' | 'failed' | 'undone'
  started_at: string
  ended_at: string | null
  output: string | null
}>

async function setStep(tx: Tx, hold: Hold, position: number, change: StepChange): Promise<void> {
  await tx
    .updateTable('operation_steps')
    .set(change)
    .where('operation_id', '=', hold.operationId)
    .where('position', '=', position)
    .execute()
}
