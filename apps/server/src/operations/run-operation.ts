/**
 * Runs the steps of an operation. Every worker relies on the record alone: it skips a step that is done, repeats an
 * interrupted one, and undoes an operation that has a recorded `failure`.
 */
import { because, type CodedReason, joinReasons, type Reasons } from '@roomkeeper/contract'
import type { Tx } from '#platform/database.ts'
import { type Attempted, attemptStep, type StepRun } from './attempt-step.ts'
import { endOperation } from './end-operations.ts'
import type { ClaimedOperation, Failure, OperationSignals } from './engine/index.ts'
import { Overtaken, StepFailed, TookEffect, unexpectedError } from './failures.ts'
import { endOfOperation, reachFaultPoint } from './fault-points.ts'
import {
  inputForUndo,
  noUndo,
  type Operation,
  pointsOfNoReturn,
  recordForKind,
  type Step,
  type StepCall,
  type StuckStep,
} from './operation.ts'
import {
  addLogLines,
  failStep,
  finishStep,
  isPastPointOfNoReturn,
  type StepEnd,
  type StepStart,
  startStep,
  stepsToUndo,
  undoneStep,
  undoOf,
  wasCancelled,
} from './operation-record.ts'
import {
  isOperationLost,
  logFields,
  type OperationRun,
  operationLog,
  type Runner,
  raiseOwnFence,
  retryWrite,
  throwIfLost,
} from './runner.ts'
import { inAttempt, traceEnd, traceLoss } from './trace-operations.ts'

type Outcome =
  | { state: 'done' }
  | { state: 'cancelled' }
  | ({ state: 'failed'; reasons: Reasons; failureCode: string | null } & Omit<Undone, 'messages'>)

/** @returns how its run ended in this process */
export function runOperation(
  runner: Runner,
  claimed: ClaimedOperation,
  signals: OperationSignals,
): Promise<'ended' | 'overtaken' | 'handed-over'> {
  return inAttempt(claimed, async () => {
    try {
      const run = prepare(runner, claimed, signals)
      if (run === null) await abandonOperation(runner, claimed, signals)
      else await runToItsEnd(run, claimed.failure)
      return 'ended'
    } catch (error) {
      if (!isOperationLost(error)) throw error
      traceLoss(error)
      return error instanceof Overtaken ? 'overtaken' : 'handed-over'
    }
  })
}

async function runToItsEnd(run: OperationRun, failure: Failure | null): Promise<void> {
  const began = performance.now()
  const { log } = run.runner
  log.info(logFields(run), 'operation begins')
  try {
    const outcome = failure === null ? await runSteps(run) : await undoAfterFailure(run, failure)
    const end = await settle(run, outcome)
    traceEnd(end)
    log.info(
      { ...logFields(run), state: end.state, milliseconds: Math.round(performance.now() - began) },
      'operation ended',
    )
  } finally {
    await run.log.end()
  }
}

function prepare(runner: Runner, claimed: ClaimedOperation, signals: OperationSignals): OperationRun | null {
  // The engine claims only kinds and versions that this process knows.
  const kind = runner.kinds.find(claimed.kind, claimed.version) as Operation<unknown>
  const isBeingUndone = claimed.failure !== null || claimed.cancelRequested
  const input = (isBeingUndone ? inputForUndo(kind) : kind.input).safeParse(claimed.input)
  if (!input.success) {
    const { id: operationId, version, requestId } = claimed
    runner.log.error({ operationId, kind: kind.kind, version, requestId }, 'the input of an operation cannot be read')
    return null
  }
  const claim = { operationId: claimed.id, fence: claimed.fence }
  const run: OperationRun = {
    runner,
    signals,
    kind,
    claim,
    log: operationLog(
      (lines) => retryWrite({ runner, signals }, () => addLogLines(runner.database, claim, lines)),
      (error) => {
        if (!isOperationLost(error)) runner.log.error({ ...logFields(run), err: error }, 'the log could not be written')
      },
    ),
    record: recordForKind(claimed, input.data),
  }
  return run
}

async function runSteps(run: OperationRun): Promise<Outcome> {
  let start: StepStart | null = null
  for (const [position, step] of run.kind.steps.entries()) {
    const started: StepStart | null = start
    const answer: StepAnswer = await catchUnexpected(
      run,
      step.title,
      () => runStep(run, position, step, started),
      unexpectedFailure,
    )
    if (answer.state === 'done') {
      start = answer.next
      continue
    }
    if (answer.state === 'cancelled') {
      const { messages, ...rest } = await undoSteps(run, 'all')
      return rest.undone && messages.length === 0
        ? { state: 'cancelled' }
        : { state: 'failed', reasons: [wasCancelled, ...messages], failureCode: null, ...rest }
    }
    const { reasons, failureCode } = answer
    const { database } = run.runner
    const record = () => retryWrite(run, () => failStep(database, run.claim, position, { reasons, failureCode }))
    await catchUnexpected(run, step.title, record, undefined)
    return undoAfterFailure(run, { reasons, failureCode })
  }
  return { state: 'done' }
}

/** For an operation whose `done` refuses what the steps have done: the failure counts as one of the last step. */
async function failAtEnd(run: OperationRun, { reasons, failureCode }: StepFailed): Promise<Outcome> {
  const { database } = run.runner
  const last = run.kind.steps.length - 1
  await retryWrite(run, () => failStep(database, run.claim, last, { reasons, failureCode }))
  return undoAfterFailure(run, { reasons, failureCode })
}

async function undoAfterFailure(run: OperationRun, { reasons, failureCode, tookEffect }: Failure): Promise<Outcome> {
  const { messages, ...rest } = await undoSteps(run, run.kind.whenFailed === 'undo' ? 'all' : 'temporary')
  const isAsBefore = rest.isAsBefore && tookEffect !== true
  return { state: 'failed', reasons: [...reasons, ...messages], failureCode, ...rest, isAsBefore }
}

const unexpectedFailure = { state: 'failed', reasons: unexpectedError, failureCode: null, isMistake: true } as const

/** Treats an unexpected error around a step as the step's failure: rethrown, it would leave the operation open. */
async function catchUnexpected<Answer>(
  run: OperationRun,
  step: string,
  work: () => Promise<Answer>,
  fallback: Answer,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isOperationLost(error)) throw error
    run.runner.log.error({ ...logFields(run), err: error, step }, 'a step could not be begun or recorded')
    return fallback
  }
}

/** `next`: how the next step starts, if the record has already decided it. */
type StepAnswer = Exclude<Attempted, { state: 'done' }> | { state: 'done'; next: StepStart | null }

async function runStep(
  run: OperationRun,
  position: number,
  step: Step<unknown>,
  started: StepStart | null,
): Promise<StepAnswer> {
  throwIfLost(run)
  const start = started ?? (await startStepOf(run, position, step, null))
  if (start.now === 'skip') return { state: 'done', next: null }
  if (start.now === 'cancel') return { state: 'cancelled' }
  await reachFaultPoint(run.record.kind, step, 'before')
  const stepRun: StepRun = {
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

/** Records a step as done. The same statement starts the next step, unless this process is stopping. */
async function recordStep(run: OperationRun, end: StepEnd): Promise<StepStart | null> {
  const { steps } = run.kind
  const next = steps[end.position + 1]
  if (next !== undefined && !run.runner.stopping.aborted) return startStepOf(run, end.position + 1, next, end)
  const lines = await run.log.take()
  await retryWrite(run, () => finishStep(run.runner.database, run.claim, end, steps.length, lines))
  return null
}

async function startStepOf(
  run: OperationRun,
  position: number,
  { id, title }: Step<unknown>,
  before: StepEnd | null,
): Promise<StepStart> {
  const lines = await run.log.take()
  const step = { position, id, title, stepCount: run.kind.steps.length }
  return retryWrite(run, () => startStep(run.runner.database, run.claim, step, before, lines))
}

interface UndoneStep {
  /** false: something could not be undone. */
  undone: boolean
  /** The messages of undos that threw TookEffect. */
  messages: CodedReason[]
  stuck: StuckStep[]
}

interface Undone extends UndoneStep {
  /** All that it has done was undone. */
  isAsBefore: boolean
}

const brokenUndo: UndoneStep = { undone: false, messages: [], stuck: [] }

async function undoSteps(run: OperationRun, which: 'all' | 'temporary'): Promise<Undone> {
  const { positions, isPastReturn } = await prepareUndo(run)
  const all: UndoneStep = { undone: true, messages: [], stuck: [] }
  for (const position of positions) {
    const step = run.kind.steps[position]
    if (step === undefined || isPastReturn || (which === 'temporary' && step.temporary !== true)) continue
    throwIfLost(run)
    const undoing = () => undoStep(run, position, step)
    const { undone, messages, stuck } = await catchUnexpected(run, undoOf(step.title), undoing, brokenUndo)
    all.undone &&= undone
    all.messages.push(...messages)
    all.stuck.push(...stuck)
  }
  return { ...all, isAsBefore: which === 'all' && !isPastReturn && all.undone && all.messages.length === 0 }
}

/** After the point of no return, nothing is undone. */
async function prepareUndo(run: OperationRun): Promise<{ positions: number[]; isPastReturn: boolean }> {
  const { runner, claim, kind } = run
  const { db } = runner.database
  await raiseOwnFence(run)
  return retryWrite(run, async () => ({
    positions: await stepsToUndo(db, claim.operationId),
    isPastReturn: await isPastPointOfNoReturn(db, claim.operationId, pointsOfNoReturn(kind)),
  }))
}

async function undoStep(run: OperationRun, position: number, step: Step<unknown>): Promise<UndoneStep> {
  let messages: Reasons = []
  if (step.undo !== noUndo) {
    const work = async (call: StepCall<unknown>) => {
      await reachFaultPoint(run.record.kind, step, 'undo', call.signal)
      messages = await undoOrExplain(step, call)
    }
    const attempted = await attemptStep({ ...run, position, step, failing: null, outputs: null, work, undoing: true })
    if (attempted.state === 'failed' && !attempted.isMistake)
      return { undone: false, messages: [], stuck: [{ id: step.id, title: step.title, reasons: attempted.reasons }] }
    if (attempted.state !== 'done') return brokenUndo
  }
  const lines = await run.log.take()
  await retryWrite(run, () => undoneStep(run.runner.database, run.claim, position, lines, messages))
  return { undone: true, messages: [...messages], stuck: [] }
}

async function undoOrExplain(step: Step<unknown>, call: StepCall<unknown>): Promise<Reasons> {
  try {
    await step.undo(call)
    return []
  } catch (error) {
    if (!(error instanceof TookEffect)) throw error
    await call.log(error.reasons, 'warning')
    return error.reasons
  }
}

/**
 * Ends the operation. A bug in the kind's own `done`, `failed` or `cancelled` must not leave it open for ever.
 * @returns how it has ended, except after such a bug
 */
async function settle(run: OperationRun, outcome: Outcome): Promise<Outcome> {
  const { kind, record, claim, runner } = run
  const { log } = runner
  const stuck = outcome.state === 'failed' ? outcome.stuck : []
  let mayHaveCalls = false
  const withCalls = (settled: (tx: Tx) => Promise<void>) => async (tx: Tx) => {
    await settled(tx)
    mayHaveCalls = await runner.lateCalls.record(tx, { id: record.id, fence: claim.fence, regionIds: regionsOf(run) })
  }
  const endings = [
    { end: endOf(outcome), settled: withCalls((tx) => settleRoom(run, outcome, tx)) },
    {
      end: failedByMistake,
      settled: withCalls((tx) => kind.failed(tx, record, failedByMistake.reasons, false, null, stuck)),
    },
    { end: failedByMistake, settled: withCalls((tx) => runner.markAsError(tx, record.roomId, unsettled)) },
    // Last resort, without the room's state: an operation that has ended can be retried, an open one cannot.
    { end: failedByMistake, settled: noUndo },
  ]
  await run.log.write()
  await reachFaultPoint(record.kind, endOfOperation, 'before')
  for (const { end, settled } of endings) {
    try {
      await retryWrite(run, () => endOperation(runner, claim, end, settled))
      break
    } catch (error) {
      if (isOperationLost(error)) throw error
      if (error instanceof StepFailed && outcome.state === 'done') return settle(run, await failAtEnd(run, error))
      log.error({ ...logFields(run), err: error }, 'ending an operation failed')
    }
  }
  if (mayHaveCalls) runner.lateCalls.refuse(record.id)
  await reachFaultPoint(record.kind, endOfOperation, 'after')
  return outcome
}

function regionsOf({ kind, record }: OperationRun): number[] {
  const regions = [record.regionId, kind.secondSlot?.(record.input) ?? null]
  return regions.filter((id) => id !== null)
}

const failedByMistake = { state: 'failed', reasons: [because('result-not-recorded')] } as const

const unsettled = [because('state-uncertain')]

function endOf(outcome: Outcome) {
  return outcome.state === 'failed'
    ? { state: outcome.state, reasons: reasonsOf(outcome), isAsBefore: outcome.isAsBefore }
    : { state: outcome.state, reasons: null }
}

function settleRoom({ kind, record }: OperationRun, outcome: Outcome, tx: Tx): Promise<void> {
  switch (outcome.state) {
    case 'done':
      return kind.done(tx, record)
    case 'cancelled':
      return kind.cancelled(tx, record)
    case 'failed':
      return kind.failed(tx, record, reasonsOf(outcome), outcome.undone, outcome.failureCode, outcome.stuck)
  }
}

function reasonsOf({ reasons, undone, stuck }: Extract<Outcome, { state: 'failed' }>): Reasons {
  if (undone) return reasons
  const left = stuck.map(({ id: stepId, title: step, reasons: why }) =>
    because('not-put-back', { step, stepId, reason: joinReasons(why) ?? because('something-went-wrong') }),
  )
  return [...reasons, ...(left.length === 0 ? [because('not-all-put-back')] : left)]
}

/** Ends an operation whose input cannot be read. That happens only after the database was changed by hand. */
async function abandonOperation(runner: Runner, claimed: ClaimedOperation, signals: OperationSignals): Promise<void> {
  const reasons = [because('input-unreadable')]
  const { id, fence, regionId: region } = claimed
  const settled = async (tx: Tx) => {
    await runner.markAsError(tx, claimed.roomId, reasons)
    await runner.lateCalls.record(tx, { id, fence, regionIds: region === null ? [] : [region] })
  }
  const end = (settling: typeof settled) =>
    retryWrite({ runner, signals }, () =>
      endOperation(runner, { operationId: id, fence }, { state: 'failed', reasons }, settling),
    )
  try {
    await end(settled)
  } catch (error) {
    if (isOperationLost(error)) throw error
    runner.log.error({ operationId: id, err: error }, 'ending an operation failed')
    // Without the state of the room, like the last ending in `settle`.
    await end(noUndo)
  }
}
