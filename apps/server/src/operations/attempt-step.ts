/** Tries a step until it succeeds, fails for good, is cancelled, or reaches its time limit. */
import { because, englishReasons, type Reasons } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { withinSavepoint } from '#platform/savepoint.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { classifyFailure, isUnexpected, Overtaken, type Verdict } from './failures.ts'
import { cancelSomeChildren, retryWithin } from './manage-operation.ts'
import { type Step, type StepCall, undoesAllAt } from './operation.ts'
import {
  type Claim,
  type FailingStep,
  finishStep,
  type LogLine,
  lockClaim,
  type Outputs,
  outputIfDone,
  outputsOf,
  setProgress,
  undoOf,
} from './operation-record.ts'
import { isOperationLost, logFields, type OperationRun, raiseOwnFence, retryWrite, throwIfLost } from './runner.ts'
import { startOperation } from './start-operation.ts'
import { inStep, traceFailedTry } from './trace-operations.ts'

export type Attempted =
  | { state: 'done'; output?: unknown }
  | { state: 'cancelled' }
  | { state: 'failed'; reasons: Reasons; failureCode: string | null; isMistake: boolean }

export interface StepRun extends StepToTry {
  /** null: not looked up yet. */
  outputs: Outputs | null
  work: (call: StepCall<unknown>) => Promise<unknown>
}

const firstPauseMilliseconds = 500
const longestPauseSeconds = 30

/** @throws Overtaken, HandedOver */
export function attemptStep(run: StepRun): Promise<Attempted> {
  return inStep(run.step.id, run.undoing, async () => {
    const series = trackTransientFailures(run)
    const attempted = await tryUntilItEnds(run, series)
    if (attempted.state !== 'done') await series.end()
    return attempted
  })
}

async function tryUntilItEnds(run: StepRun, series: TransientFailures): Promise<Attempted> {
  const { signals, undoing, step } = run
  const isCancellable = !undoing && step.pointOfNoReturn !== true
  const cancelled = isCancellable ? signals.cancelled : new AbortController().signal
  let call = await makeCall(run, cancelled, series)
  // Once set, it stays set: a commit whose answer was lost may become visible only later.
  let mayBeDone = false
  for (;;) {
    try {
      return { state: 'done', output: await run.work(call) }
    } catch (error) {
      const verdict = classifyFailure(error)
      if (verdict.kind === 'overtaken') throw new Overtaken()
      if (isOperationLost(error)) throw error
      if (cancelled.aborted) return { state: 'cancelled' }
      throwIfLost(run)
      if (verdict.kind === 'denied') {
        // After the restore of a dump a region may know a higher fence than the record: ours is raised until the region
        // accepts it.
        await raiseOwnFence(run)
        call = await makeCall(run, cancelled, series)
      }
      if (isUnexpected(error))
        run.runner.log.error({ ...logFields(run), err: error, step: titleOf(run) }, 'step failed')
      mayBeDone ||= verdict.kind === 'outage' && !undoing
      const done = mayBeDone ? await doneAfterAll(run) : null
      if (done !== null) return { state: 'done', ...done }
      const wait = verdict.kind === 'final' ? null : await pauseBeforeNextTry(run, series, verdict)
      if (wait === null) {
        await note(run, 'error', verdict.reasons)
        return {
          state: 'failed',
          reasons: verdict.reasons,
          failureCode: failureCodeOf(verdict),
          isMistake: isUnexpected(error),
        }
      }
      series.tries += 1
      traceFailedTry(verdict.reasons)
      const again = because('trying-again', { seconds: Math.ceil(wait / 1000) })
      await note(run, 'warning', [...verdict.reasons, again])
      await pause(wait, call.signal)
      if (cancelled.aborted) return { state: 'cancelled' }
      throwIfLost(run)
    }
  }
}

/** @returns milliseconds; null: the step is not tried again */
function pauseBeforeNextTry(
  { step }: StepRun,
  series: TransientFailures,
  { kind, reasons }: Exclude<Verdict, { kind: 'overtaken' }>,
): Promise<number | null> | number {
  const planned = pauseAfter(series.tries, step.retry?.longestPauseSeconds)
  // An outage of the database is waited for, however long it lasts.
  return kind === 'outage' ? planned : series.failed(reasons, planned)
}

function failureCodeOf(verdict: Verdict): string | null {
  return 'failureCode' in verdict ? (verdict.failureCode ?? null) : null
}

/** A step whose `finish` committed must not run again, even if the answer to the commit was lost. */
function doneAfterAll(run: StepRun): Promise<{ output: unknown } | null> {
  return retryWrite(run, () => outputIfDone(run.runner.database.db, run.record.id, run.position))
}

/** Milliseconds, growing by half each time. Jitter keeps many operations from calling at the same moment. */
export function pauseAfter(failures: number, longestSeconds = longestPauseSeconds): number {
  const planned = Math.min(firstPauseMilliseconds * 1.5 ** failures, longestSeconds * 1000)
  return planned * (0.8 + Math.random() * 0.4)
}

async function makeCall(run: StepRun, cancelled: AbortSignal, series: TransientFailures): Promise<StepCall<unknown>> {
  const { runner, record, claim, kind, position, step, undoing } = run
  const { database } = runner
  const outputs = run.outputs ?? (await retryWrite(run, () => outputsOf(database.db, record.id)))
  const transaction: StepCall<unknown>['transaction'] = (work) =>
    database.transaction(async (tx) => {
      await lockClaim(tx, claim)
      return work(tx)
    })
  const finish = <Output>(work: (tx: Tx) => Promise<Output>, read: (known: unknown) => Output) =>
    transaction(async (tx) => {
      // The commit of an earlier try may have succeeded while this try waited for the row lock.
      const done = undoing ? null : await outputIfDone(tx, record.id, position)
      if (done !== null) return read(done.output)
      const output = await work(tx)
      await finishStep({ db: tx }, claim, { position, output }, kind.steps.length, [])
      return output
    })
  return {
    ...record,
    services: runner.services,
    mark: {
      key: `${record.id}:${record.attempt}:${undoing ? undoOf(step.id) : step.id}`,
      operation: record.id,
      fence: claim.fence,
    },
    ...readingOf(run, outputs),
    log: (said, level = 'info') => note(run, level, said),
    async progress(share) {
      const lines = await run.log.take()
      await retryWrite(run, () => setProgress(database, claim, (position + share) / kind.steps.length, lines))
      await series.reached(share)
    },
    signal: AbortSignal.any([cancelled, run.signals.lost, runner.stopping]),
    transaction,
    finish: (work) => finish(work, () => undefined),
    finishWith: ({ output }, work) => finish(work, (known) => output.parse(known)),
    start(tx, childKind, parts) {
      const { id: parentId, startedBy, requestId } = record
      return startOperation(tx, childKind, { ...parts, parentId, startedBy, requestId })
    },
    retry: (tx, operationId, caller) =>
      // What was written before it was refused must go.
      withinSavepoint(tx, () =>
        retryWithin(tx, runner.kinds, operationId, { caller, requestId: record.requestId }, true),
      ),
    async cancelWaiting() {
      const cancelSome = (tx: Tx) => cancelSomeChildren(tx, runner.kinds, record.id)
      while ((await transaction(cancelSome)) > 0) throwIfLost(run)
    },
  }
}

/** Reads the outputs of earlier steps; an undo may also read the output of its own step. */
function readingOf(
  { kind, position, undoing }: StepRun,
  outputs: Outputs,
): Pick<StepCall<unknown>, 'output' | 'outputIfDone'> {
  return {
    output({ id, output }) {
      const from = kind.steps.findIndex((step) => step.id === id)
      if (from < 0 || from > position || (from === position && !undoing))
        throw new Error(
          `${kind.kind}: ${kind.steps[position]?.id} reads the step ${id}, which does not come before it.`,
        )
      if (!(id in outputs)) throw new Error(`${kind.kind}: the step ${id} is not done.`)
      return output.parse(outputs[id])
    },
    outputIfDone: ({ id, output }) => (id in outputs ? output.parse(outputs[id]) : null),
  }
}

function titleOf({ step, undoing }: StepRun): string {
  return undoing ? undoOf(step.title) : step.title
}

function note(run: StepRun, level: LogLine['level'], said: Reasons): Promise<void> {
  const { position, step, undoing } = run
  const where = because(undoing ? 'in-undo-of-step' : 'in-step', { step: step.title, stepId: step.id })
  const reasons = [where, ...said]
  return run.log.say({ position, level, text: englishReasons(reasons), reasons })
}

/**
 * Limits how long a step is retried. The time counts from the first of an unbroken series of transient failures, which
 * another worker may continue; the time before does not count. A step that gets a hundredth further than ever before
 * starts a new series, so that it can continue with a slow region.
 */
interface TransientFailures {
  /** The number of failed tries in this process since the step last got further. */
  tries: number
  /**
   * Records another failure. @returns the milliseconds until the next try; null: the limit is reached
   * @param pauseMilliseconds after which the next try is planned: the last one comes when the limit is reached
   */
  failed(reasons: Reasons, pauseMilliseconds: number): Promise<number | null>
  /** Records how much of the step is done, 0 to 1. Small steps of progress add up until they reach `leastStep`. */
  reached(share: number): Promise<void>
  /** To be called when the step is not tried again. */
  end(): Promise<void>
}

/** A step that is being run, or undone. */
interface StepToTry extends OperationRun {
  position: number
  step: Step<unknown>
  /** An undo cannot be cancelled. */
  undoing: boolean
  /** The series of transient failures that the step was in when this process took it over. */
  failing: FailingStep | null
}

const retryMinutes = 15
const leastStep = 0.01

function trackTransientFailures(run: StepToTry): TransientFailures {
  const { claim, position, undoing } = run
  const { db } = run.runner.database
  let isFailing = run.failing !== null
  /** A time of the monotonic clock; null: this process has seen no failure of this series. */
  let failedFirstAt: number | null = null
  let furthest = run.failing?.furthest ?? 0
  const minutes = run.step.retry?.minutes ?? retryMinutes
  const limit = {
    limitSeconds: Number.isFinite(minutes) ? minutes * 60 : null,
    endsAsBefore: !undoing && undoesAllAt(run.kind, position),
  }
  return {
    tries: 0,
    async failed(reasons, pauseMilliseconds) {
      failedFirstAt ??= performance.now()
      const secondsFailing = (performance.now() - failedFirstAt) / 1000
      const failed = { position, undoing, furthest, reasons, pauseMilliseconds, secondsFailing, ...limit }
      const secondsLeft = await retryWrite(run, () => recordFailing(db, claim, failed))
      isFailing = true
      if (secondsLeft === null) return pauseMilliseconds
      return secondsLeft <= 0 ? null : Math.min(pauseMilliseconds, secondsLeft * 1000)
    },
    async reached(share) {
      // Progress of an undo is not recorded.
      if (undoing || share < furthest + leastStep) return
      furthest = share
      failedFirstAt = null
      if (!isFailing) return
      await retryWrite(run, () => forgetFailing(db, claim, position))
      isFailing = false
      this.tries = 0
    },
    async end() {
      if (isFailing) await retryWrite(run, () => forgetNextTry(db, claim, position))
    },
  }
}

interface FailingTry {
  position: number
  undoing: boolean
  furthest: number
  reasons: Reasons
  pauseMilliseconds: number
  /** For how long this process has seen the series. */
  secondsFailing: number
  /** null: the step is tried without limit. */
  limitSeconds: number | null
  /** When the limit is reached, all that the operation has done is undone. */
  endsAsBefore: boolean
}

/** @returns how many seconds are left until the limit; null: there is none @throws Overtaken */
async function recordFailing(db: Db, claim: Claim, failed: FailingTry): Promise<number | null> {
  const { position, undoing, furthest, reasons, pauseMilliseconds, secondsFailing, limitSeconds, endsAsBefore } = failed
  const [row] = await queryRows<{ secondsLeft: number | null }>(db, recordTry, [
    claim.operationId,
    claim.fence,
    position,
    undoing,
    furthest,
    JSON.stringify(reasons),
    pauseMilliseconds / 1000,
    secondsFailing,
    limitSeconds,
    endsAsBefore,
  ])
  if (row === undefined) throw new Overtaken()
  return row.secondsLeft
}

const failingSinceSql = `case when s.failing_undo = $4 then least(s.failing_since, steady_now()) else steady_now() end`
/** The database has also counted what former processes have tried; null while its time is not steady. */
const secondsLeftSql = `$9::float8 - greatest($8::float8, extract(epoch from ${steadyTime} - (${failingSinceSql}))::float8)`

/** @throws Overtaken */
function forgetFailing(db: Db, claim: Claim, position: number): Promise<void> {
  return change(db, claim, position, 'failing_since = null, failing_reasons = null, next_try_at = null')
}

/** @throws Overtaken */
function forgetNextTry(db: Db, claim: Claim, position: number): Promise<void> {
  return change(db, claim, position, 'failing_reasons = null, next_try_at = null')
}

async function change(db: Db, claim: Claim, position: number, set: string): Promise<void> {
  const forgotten = await queryRows(
    db,
    `update operation_steps s set ${set} from operations o where ${ofHeld} returning s.position`,
    [claim.operationId, claim.fence, position],
  )
  if (forgotten.length === 0) throw new Overtaken()
}

const ofHeld = `s.operation_id = $1 and s.position = $3
        and o.id = $1 and o.fence = $2 and o.state in ('running', 'cancelling')`

const recordTry = `
  update operation_steps s
     set failing_since = ${failingSinceSql}, failing_undo = $4, furthest = $5, failing_reasons = $6::jsonb,
         failing_tries = case when s.failing_undo = $4 and s.failing_since is not null then s.failing_tries + 1 else 1 end,
         next_try_at = now() + make_interval(secs => least($7::float8, ${secondsLeftSql})),
         gives_up_at = now() + make_interval(secs => ${secondsLeftSql}), ends_as_before = $10
    from operations o where ${ofHeld}
  returning extract(epoch from s.gives_up_at - now())::float8 as seconds_left`
