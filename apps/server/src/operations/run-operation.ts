/**
 * Runs one attempt of an operation as a durable workflow. Each step is one DBOS step whose answer is a value
 * (done, failed, cancelled), never an error: so an error that comes out of DBOS means that this worker has lost
 * the workflow, and nothing is undone then.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Tx } from '#platform/database.ts'
import { type Attempted, attemptStep, type StepRun } from './attempt-step.ts'
import { ourMistake } from './failures.ts'
import { reachFaultPoint } from './fault-points.ts'
import {
  type BegunOperation,
  endOperation,
  finishStep,
  isPastReturn,
  markStep,
  raiseFence,
  startStep,
  stepsToUndo,
  takeOperation,
} from './journal.ts'
import { nothing, type Step } from './operation.ts'
import { leaveToOthers, logFields, type OperationRun, persistently, type Runner } from './runner.ts'

type Outcome =
  | { state: 'done' }
  | { state: 'cancelled' }
  | { state: 'failed'; reason: string; undone: boolean; sort: string | null }

/** @param from the first step that this attempt may have to run */
export async function runOperation<Services>(
  runner: Runner<Services>,
  operationId: string,
  attempt: number,
  from: number,
): Promise<void> {
  const begun = await persistently(runner, () => takeOperation(runner.database.db, operationId, attempt))
  if (begun === null) return
  const run = prepare(runner, begun)
  if (run === null) return persistently(runner, () => abandon(runner, begun))
  const began = Date.now()
  runner.log.info(logFields(run), 'operation begins')
  const outcome = await runSteps(run, from)
  await DBOS.runStep(() => settle(run, outcome), { name: 'end' })
  runner.log.info({ ...logFields(run), state: outcome.state, milliseconds: Date.now() - began }, 'operation ended')
}

function prepare<Services>(runner: Runner<Services>, begun: BegunOperation): OperationRun<Services> | null {
  const kind = runner.kinds.get(begun.kind)
  const input = kind?.input.safeParse(begun.input)
  if (kind === undefined || kind.version !== begun.version || input?.success !== true) {
    runner.log.error(
      { operationId: begun.id, kind: begun.kind, version: begun.version, requestId: begun.request_id },
      'unknown operation',
    )
    return null
  }
  return {
    runner,
    kind,
    hold: { operationId: begun.id, fence: begun.fence },
    record: {
      id: begun.id,
      kind: begun.kind,
      roomId: begun.room_id,
      roomName: begun.room_name,
      regionId: begun.region_id,
      startedBy: begun.started_by,
      requestId: begun.request_id,
      attempt: begun.attempt,
      input: input.data,
    },
  }
}

/** Begun by another version of the program: it ends here; the room's running check then shows it as an error. */
async function abandon<Services>({ database }: Runner<Services>, begun: BegunOperation): Promise<void> {
  const error = 'This operation was begun by another version of Roomkeeper and cannot be continued by this one.'
  const hold = { operationId: begun.id, fence: begun.fence }
  await endOperation(database, hold, { state: 'failed', error }, nothing)
}

async function runSteps<Services>(run: OperationRun<Services>, from: number): Promise<Outcome> {
  for (const [position, step] of run.kind.steps.entries()) {
    if (position < from) continue
    const work = () => runStep(run, position, step)
    const answer = await DBOS.runStep(() => answered(run, step.name, work, brokenStep), { name: step.name })
    if (answer.state === 'done') continue
    if (answer.state === 'cancelled') {
      const undone = await undoSteps(run, 'all')
      return undone ? { state: 'cancelled' } : { state: 'failed', reason: notUndone('cancelled'), undone, sort: null }
    }
    const { reason, sort } = answer
    const undone = await undoSteps(run, run.kind.whenFailed === 'undo' ? 'all' : 'temporary')
    return { state: 'failed', reason, undone, sort }
  }
  return { state: 'done' }
}

const brokenStep = { state: 'failed', reason: ourMistake, sort: null } as const

/** Whatever goes wrong around a step is an answer too: an error would leave the operation open for ever. */
async function answered<Services, Answer>(
  run: OperationRun<Services>,
  step: string,
  work: () => Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    run.runner.log.error({ ...logFields(run), err: error, step }, 'a step could not be begun or recorded')
    return otherwise
  }
}

async function runStep<Services>(
  run: OperationRun<Services>,
  position: number,
  step: Step<unknown, Services>,
): Promise<Attempted> {
  const { runner, hold } = run
  if (runner.stopping.aborted) return leaveToOthers()
  const count = run.kind.steps.length
  const start = await persistently(runner, () => startStep(runner.database, hold, position, step.name, count))
  if (start.now === 'skip') return { state: 'done' }
  if (start.now === 'cancel') return { state: 'cancelled' }
  await reachFaultPoint(run.record.kind, position, 'before')
  const stepRun: StepRun<Services> = {
    ...run,
    position,
    name: step.name,
    startedAt: start.startedAt,
    outputs: start.outputs,
    retry: step.retry,
    work: async (call) => {
      const output = await step.run(call)
      await reachFaultPoint(run.record.kind, position, 'after', call.signal)
      return output
    },
    undoing: false,
  }
  const attempted = await attemptStep(stepRun)
  if (attempted.state === 'done') {
    await persistently(runner, () => finishStep(runner.database, hold, position, count, attempted.output))
    await reachFaultPoint(run.record.kind, position, 'recorded')
    return { state: 'done' }
  }
  if (attempted.state === 'failed')
    await persistently(runner, () => markStep(runner.database, hold, position, 'failed'))
  return attempted
}

/** @returns false when something could not be put back */
async function undoSteps<Services>(run: OperationRun<Services>, which: 'all' | 'temporary'): Promise<boolean> {
  const { positions, past } = await DBOS.runStep(() => prepareUndo(run), { name: 'find what to undo' })
  let undone = true
  for (const position of positions) {
    const step = run.kind.steps[position]
    if (step === undefined || past || (which === 'temporary' && step.temporary !== true)) continue
    const name = `undo: ${step.name}`
    const work = () => undoStep(run, position, step)
    undone = (await DBOS.runStep(() => answered(run, name, work, false), { name })) && undone
  }
  return undone
}

/** `past`: after the point of no return nothing is put back. */
async function prepareUndo<Services>({
  runner,
  hold,
  kind,
}: OperationRun<Services>): Promise<{ positions: number[]; past: boolean }> {
  const { db } = runner.database
  const points = kind.steps.flatMap((step, position) => (step.pointOfNoReturn === true ? [position] : []))
  hold.fence = await persistently(runner, () => raiseFence(db, hold))
  return persistently(runner, async () => ({
    positions: await stepsToUndo(db, hold.operationId),
    past: await isPastReturn(db, hold.operationId, points),
  }))
}

async function undoStep<Services>(
  run: OperationRun<Services>,
  position: number,
  step: Step<unknown, Services>,
): Promise<boolean> {
  const startedAt = new Date().toISOString()
  if (step.undo !== nothing) {
    await reachFaultPoint(run.record.kind, position, 'undo')
    const name = `undo: ${step.name}`
    const attempt = { ...run, position, name, startedAt, work: step.undo, undoing: true }
    const attempted = await attemptStep({ ...attempt, retry: step.retry, outputs: null })
    if (attempted.state !== 'done') return false
  }
  await persistently(run.runner, () => markStep(run.runner.database, run.hold, position, 'undone'))
  return true
}

/** Ends the operation; a mistake in a kind's own ending must not leave it open for ever. */
async function settle<Services>(run: OperationRun<Services>, outcome: Outcome): Promise<void> {
  const { kind, record, hold, runner } = run
  const { database, log } = runner
  const endings = [
    { end: endOf(outcome), settled: (tx: Tx) => settleRoom(run, outcome, tx) },
    { end: failedByMistake, settled: (tx: Tx) => kind.failed(tx, record, failedByMistake.error, false, null) },
    { end: failedByMistake, settled: nothing },
  ]
  await reachFaultPoint(record.kind, kind.steps.length, 'before')
  for (const { end, settled } of endings) {
    try {
      await persistently(runner, () => endOperation(database, hold, end, settled))
      break
    } catch (error) {
      log.error({ ...logFields(run), err: error }, 'ending an operation failed')
    }
  }
  runner.placesChanged()
  await reachFaultPoint(record.kind, kind.steps.length, 'after')
}

const failedByMistake = {
  state: 'failed',
  error: 'The result could not be recorded; the log of the server says why.',
} as const

function endOf(outcome: Outcome) {
  return { state: outcome.state, error: outcome.state === 'failed' ? outcome.reason : null }
}

function settleRoom<Services>({ kind, record }: OperationRun<Services>, outcome: Outcome, tx: Tx): Promise<void> {
  switch (outcome.state) {
    case 'done':
      return kind.done(tx, record)
    case 'cancelled':
      return kind.cancelled(tx, record)
    case 'failed':
      return kind.failed(
        tx,
        record,
        outcome.undone ? outcome.reason : `${outcome.reason} ${notUndone('failed')}`,
        outcome.undone,
        outcome.sort,
      )
  }
}

function notUndone(what: 'cancelled' | 'failed'): string {
  return `The operation was ${what}, but not everything could be put back; its log says what.`
}
