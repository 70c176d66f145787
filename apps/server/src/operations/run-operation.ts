/**
 * Runs an operation as far as its record says that it has not come yet. The record is the only truth about steps:
 * a step that is done is not run again, one that was cut off is, and an operation that has failed (`failure`) is put
 * back for that reason, whoever goes on with it.
 */
import type { Tx } from '#platform/database.ts'
import { type Attempted, attemptStep, type StepRun } from './attempt-step.ts'
import type { Asked, ClaimedOperation, Failure } from './engine/index.ts'
import { Overtaken, ourMistake, TookEffect } from './failures.ts'
import { endOfOperation, reachFaultPoint } from './fault-points.ts'
import {
  addLogLines,
  endOperation,
  failStep,
  finishStep,
  isPastReturn,
  type StepEnd,
  type StepStart,
  startStep,
  stepsToUndo,
  undoneStep,
  wasCancelled,
} from './journal.ts'
import {
  inputToPutBack,
  nothing,
  type Operation,
  recordOf,
  type Step,
  type StepCall,
  type StuckStep,
} from './operation.ts'
import { operationLog } from './operation-log.ts'
import {
  isParting,
  logFields,
  type OperationRun,
  persistently,
  type Runner,
  raiseOwnFence,
  throwIfParted,
} from './runner.ts'
import { undoOf } from './step-record.ts'

type Outcome =
  | { state: 'done' }
  | { state: 'cancelled' }
  | { state: 'failed'; reason: string; undone: boolean; sort: string | null; stuck: StuckStep[] }

/** @returns how this process parted from it */
export async function runOperation<Services>(
  runner: Runner<Services>,
  claimed: ClaimedOperation,
  asked: Asked,
): Promise<'ended' | 'overtaken' | 'left'> {
  try {
    const run = prepare(runner, claimed, asked)
    if (run === null) await abandon(runner, claimed, asked)
    else await runToItsEnd(run, claimed.failure)
    return 'ended'
  } catch (error) {
    if (!isParting(error)) throw error
    return error instanceof Overtaken ? 'overtaken' : 'left'
  }
}

async function runToItsEnd<Services>(run: OperationRun<Services>, failure: Failure | null): Promise<void> {
  const began = Date.now()
  const { log } = run.runner
  log.info(logFields(run), 'operation begins')
  try {
    const outcome = failure === null ? await runSteps(run) : await putBack(run, failure)
    await settle(run, outcome)
    log.info({ ...logFields(run), state: outcome.state, milliseconds: Date.now() - began }, 'operation ended')
  } finally {
    await run.log.end()
  }
}

function prepare<Services>(
  runner: Runner<Services>,
  claimed: ClaimedOperation,
  asked: Asked,
): OperationRun<Services> | null {
  // The engine claims only what this process knows.
  const kind = runner.kinds.find(claimed.kind, claimed.version) as Operation<unknown, Services>
  const isPutBack = claimed.failure !== null || claimed.cancelRequested
  const input = (isPutBack ? inputToPutBack(kind) : kind.input).safeParse(claimed.input)
  if (!input.success) {
    const { id: operationId, version, requestId } = claimed
    runner.log.error({ operationId, kind: kind.kind, version, requestId }, 'the input of an operation cannot be read')
    return null
  }
  const hold = { operationId: claimed.id, fence: claimed.fence }
  const run: OperationRun<Services> = {
    runner,
    asked,
    kind,
    hold,
    log: operationLog(
      (lines) => persistently({ runner, asked }, () => addLogLines(runner.database, hold, lines)),
      (error) => {
        if (!isParting(error)) runner.log.error({ ...logFields(run), err: error }, 'the log could not be written')
      },
    ),
    record: recordOf(claimed, input.data),
  }
  return run
}

/** Only a change by hand leads here. */
async function abandon<Services>(runner: Runner<Services>, claimed: ClaimedOperation, asked: Asked): Promise<void> {
  const error = 'What this operation was started with cannot be read (any more); it cannot be continued.'
  const { id, fence, regionId: region } = claimed
  const hold = { operationId: id, fence }
  const settled = async (tx: Tx) => {
    await runner.leaveInError(tx, claimed.roomId, error)
    await runner.lateCalls.record(tx, { id, fence, regionIds: region === null ? [] : [region] })
  }
  await persistently({ runner, asked }, () => endOperation(runner.database, hold, { state: 'failed', error }, settled))
}

async function runSteps<Services>(run: OperationRun<Services>): Promise<Outcome> {
  let start: StepStart | null = null
  for (const [position, step] of run.kind.steps.entries()) {
    const begun: StepStart | null = start
    const answer: StepAnswer = await answered(run, step.title, () => runStep(run, position, step, begun), brokenStep)
    if (answer.state === 'done') {
      start = answer.next
      continue
    }
    if (answer.state === 'cancelled') {
      const { told, ...rest } = await undoSteps(run, 'all')
      return rest.undone && told.length === 0
        ? { state: 'cancelled' }
        : { state: 'failed', reason: [wasCancelled, ...told].join(' '), sort: null, ...rest }
    }
    const { reason, sort } = answer
    const { database } = run.runner
    const record = () => persistently(run, () => failStep(database, run.hold, position, { reason, sort }))
    await answered(run, step.title, record, undefined)
    return putBack(run, { reason, sort })
  }
  return { state: 'done' }
}

async function putBack<Services>(run: OperationRun<Services>, { reason, sort }: Failure): Promise<Outcome> {
  const { told, ...rest } = await undoSteps(run, run.kind.whenFailed === 'undo' ? 'all' : 'temporary')
  return { state: 'failed', reason: [reason, ...told].join(' '), sort, ...rest }
}

const brokenStep = { state: 'failed', reason: ourMistake, sort: null, isMistake: true } as const

/** Whatever goes wrong around a step is an answer too: an error would leave the operation open. */
async function answered<Services, Answer>(
  run: OperationRun<Services>,
  step: string,
  work: () => Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isParting(error)) throw error
    run.runner.log.error({ ...logFields(run), err: error, step }, 'a step could not be begun or recorded')
    return otherwise
  }
}

/** `next`: how the next step begins, when that is known already. */
type StepAnswer = Exclude<Attempted, { state: 'done' }> | { state: 'done'; next: StepStart | null }

async function runStep<Services>(
  run: OperationRun<Services>,
  position: number,
  step: Step<unknown, Services>,
  begun: StepStart | null,
): Promise<StepAnswer> {
  throwIfParted(run)
  const start = begun ?? (await beginStep(run, position, step, null))
  if (start.now === 'skip') return { state: 'done', next: null }
  if (start.now === 'cancel') return { state: 'cancelled' }
  await reachFaultPoint(run.record.kind, step, 'before')
  const stepRun: StepRun<Services> = {
    ...run,
    position,
    step,
    failing: start.failing,
    outputs: start.outputs,
    work: async (call) => {
      const output = await step.run(call)
      await reachFaultPoint(run.record.kind, step, 'after', call.signal)
      return output
    },
    undoing: false,
  }
  const attempted = await attemptStep(stepRun)
  if (attempted.state !== 'done') return attempted
  const next = await recordStep(run, { position, output: attempted.output })
  await reachFaultPoint(run.record.kind, step, 'recorded')
  return { state: 'done', next }
}

/** The next step begins with the same write, unless this process stops. */
async function recordStep<Services>(run: OperationRun<Services>, end: StepEnd): Promise<StepStart | null> {
  const { steps } = run.kind
  const next = steps[end.position + 1]
  if (next !== undefined && !run.runner.stopping.aborted) return beginStep(run, end.position + 1, next, end)
  const lines = await run.log.take()
  await persistently(run, () => finishStep(run.runner.database, run.hold, end, steps.length, lines))
  return null
}

async function beginStep<Services>(
  run: OperationRun<Services>,
  position: number,
  { id, title }: Step<unknown, Services>,
  before: StepEnd | null,
): Promise<StepStart> {
  const lines = await run.log.take()
  const step = { position, id, title, of: run.kind.steps.length }
  return persistently(run, () => startStep(run.runner.database, run.hold, step, before, lines))
}

interface Undone {
  /** false: something could not be put back. */
  undone: boolean
  /** What took effect all the same. */
  told: string[]
  stuck: StuckStep[]
}

const brokenUndo: Undone = { undone: false, told: [], stuck: [] }

async function undoSteps<Services>(run: OperationRun<Services>, which: 'all' | 'temporary'): Promise<Undone> {
  const { positions, past } = await prepareUndo(run)
  const all: Undone = { undone: true, told: [], stuck: [] }
  for (const position of positions) {
    const step = run.kind.steps[position]
    if (step === undefined || past || (which === 'temporary' && step.temporary !== true)) continue
    throwIfParted(run)
    const undoing = () => undoStep(run, position, step)
    const { undone, told, stuck } = await answered(run, undoOf(step.title), undoing, brokenUndo)
    all.undone &&= undone
    all.told.push(...told)
    all.stuck.push(...stuck)
  }
  return all
}

/** `past`: after the point of no return nothing is put back. */
async function prepareUndo<Services>(run: OperationRun<Services>): Promise<{ positions: number[]; past: boolean }> {
  const { runner, hold, kind } = run
  const { db } = runner.database
  const points = kind.steps.flatMap((step, position) => (step.pointOfNoReturn === true ? [position] : []))
  await raiseOwnFence(run)
  return persistently(run, async () => ({
    positions: await stepsToUndo(db, hold.operationId),
    past: await isPastReturn(db, hold.operationId, points),
  }))
}

async function undoStep<Services>(
  run: OperationRun<Services>,
  position: number,
  step: Step<unknown, Services>,
): Promise<Undone> {
  let told: string | null = null
  if (step.undo !== nothing) {
    const work = async (call: StepCall<unknown, Services>) => {
      await reachFaultPoint(run.record.kind, step, 'undo', call.signal)
      told = await undoOrTell(step, call)
    }
    const attempted = await attemptStep({ ...run, position, step, failing: null, outputs: null, work, undoing: true })
    if (attempted.state === 'failed' && !attempted.isMistake)
      return { undone: false, told: [], stuck: [{ id: step.id, reason: attempted.reason }] }
    if (attempted.state !== 'done') return brokenUndo
  }
  const lines = await run.log.take()
  await persistently(run, () => undoneStep(run.runner.database, run.hold, position, lines, told))
  return { undone: true, told: told === null ? [] : [told], stuck: [] }
}

async function undoOrTell<Services>(
  step: Step<unknown, Services>,
  call: StepCall<unknown, Services>,
): Promise<string | null> {
  try {
    await step.undo(call)
    return null
  } catch (error) {
    if (!(error instanceof TookEffect)) throw error
    await call.log(error.message, 'warning')
    return error.message
  }
}

/** Ends the operation; a mistake in a kind's own ending must not leave it open for ever. */
async function settle<Services>(run: OperationRun<Services>, outcome: Outcome): Promise<void> {
  const { kind, record, hold, runner } = run
  const { database, log } = runner
  const stuck = outcome.state === 'failed' ? outcome.stuck : []
  let mayHaveCalls = false
  const withCalls = (settled: (tx: Tx) => Promise<void>) => async (tx: Tx) => {
    await settled(tx)
    mayHaveCalls = await runner.lateCalls.record(tx, { id: record.id, fence: hold.fence, regionIds: regionsOf(run) })
  }
  const endings = [
    { end: endOf(outcome), settled: withCalls((tx) => settleRoom(run, outcome, tx)) },
    {
      end: failedByMistake,
      settled: withCalls((tx) => kind.failed(tx, record, failedByMistake.error, false, null, stuck)),
    },
    { end: failedByMistake, settled: withCalls((tx) => runner.leaveInError(tx, record.roomId, unsettled)) },
    // Whatever stands in the way of the room's end: an operation that has ended can be retried, an open one cannot.
    { end: failedByMistake, settled: nothing },
  ]
  await run.log.write()
  await reachFaultPoint(record.kind, endOfOperation, 'before')
  for (const { end, settled } of endings) {
    try {
      await persistently(run, () => endOperation(database, hold, end, settled))
      break
    } catch (error) {
      if (isParting(error)) throw error
      log.error({ ...logFields(run), err: error }, 'ending an operation failed')
    }
  }
  if (mayHaveCalls) runner.lateCalls.refuse(record.id)
  await reachFaultPoint(record.kind, endOfOperation, 'after')
}

function regionsOf<Services>({ kind, record }: OperationRun<Services>): number[] {
  const regions = [record.regionId, kind.secondPlace?.(record.input) ?? null]
  return regions.filter((id) => id !== null)
}

const failedByMistake = {
  state: 'failed',
  error: 'The result could not be recorded; the log of the server says why.',
} as const

const unsettled =
  'The result could not be recorded, so nobody knows for sure in which state the project room is. Choose Retry, or delete it.'

function endOf(outcome: Outcome) {
  return { state: outcome.state, error: outcome.state === 'failed' ? toldOf(outcome) : null }
}

function settleRoom<Services>({ kind, record }: OperationRun<Services>, outcome: Outcome, tx: Tx): Promise<void> {
  switch (outcome.state) {
    case 'done':
      return kind.done(tx, record)
    case 'cancelled':
      return kind.cancelled(tx, record)
    case 'failed':
      return kind.failed(tx, record, toldOf(outcome), outcome.undone, outcome.sort, outcome.stuck)
  }
}

function toldOf({ reason, undone }: { reason: string; undone: boolean }): string {
  return undone ? reason : `${reason} Not everything could be put back; the log of the operation says what.`
}
