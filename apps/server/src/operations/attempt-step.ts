/** Tries a step until it succeeds, fails for good, is cancelled, or its time is over. */
import { pause } from '#platform/pause.ts'
import { isUnexpected, judge } from './failures.ts'
import { addLogLine, cancelIsRequested, finishStep, holdInTransaction, outputsOf, setProgress } from './journal.ts'
import type { Step, StepCall } from './operation.ts'
import { leaveToOthers, logFields, type OperationRun, persistently } from './runner.ts'
import { startOperation } from './start-operation.ts'

export type Attempted =
  | { state: 'done'; output?: unknown }
  | { state: 'cancelled' }
  | { state: 'failed'; reason: string; sort: string | null }

export interface StepRun<Services> extends OperationRun<Services> {
  position: number
  name: string
  /** When the step first began, in any process. */
  startedAt: string
  retry: Step<unknown, Services>['retry']
  /** Of the steps that are done, by name; null: not looked up yet. */
  outputs: Record<string, unknown> | null
  work: (call: StepCall<unknown, Services>) => Promise<unknown>
  /** Undoing is not cancelled. */
  undoing: boolean
}

const retryMinutes = 15
const firstPauseMilliseconds = 500
const longestPauseSeconds = 30
const cancelPollMilliseconds = 500

export async function attemptStep<Services>(run: StepRun<Services>): Promise<Attempted> {
  const cancelled = new AbortController()
  const watching = run.undoing ? null : watchCancel(run, cancelled)
  run.runner.activeSteps.count += 1
  try {
    const attempted = await tryUntilSettled(run, cancelled.signal)
    if (attempted !== 'stopping') return attempted
  } finally {
    run.runner.activeSteps.count -= 1
    watching?.()
  }
  return leaveToOthers()
}

async function tryUntilSettled<Services>(
  run: StepRun<Services>,
  cancelled: AbortSignal,
): Promise<Attempted | 'stopping'> {
  const call = await makeCall(run, cancelled)
  for (let failures = 0; ; failures += 1) {
    try {
      return { state: 'done', output: await run.work(call) }
    } catch (error) {
      const verdict = judge(error)
      if (verdict.kind === 'overtaken') return run.runner.giveUp()
      if (cancelled.aborted) return { state: 'cancelled' }
      if (run.runner.stopping.aborted) return 'stopping'
      if (isUnexpected(error)) run.runner.log.error({ ...logFields(run), err: error, step: run.name }, 'step failed')
      const timeIsOver = Date.now() - Date.parse(run.startedAt) > (run.retry?.minutes ?? retryMinutes) * 60_000
      if (verdict.kind === 'final' || timeIsOver) {
        await note(run, 'error', verdict.reason)
        return { state: 'failed', reason: verdict.reason, sort: verdict.sort ?? null }
      }
      const wait = pauseAfter(failures, run.retry?.longestPauseSeconds)
      await note(run, 'warning', `${verdict.reason} Trying again in ${Math.ceil(wait / 1000)} s.`)
      await pause(wait, call.signal)
      if (cancelled.aborted) return { state: 'cancelled' }
      if (run.runner.stopping.aborted) return 'stopping'
    }
  }
}

/** Grows by half each time, with some jitter, so that many operations do not knock at once. */
export function pauseAfter(failures: number, longestSeconds = longestPauseSeconds): number {
  const planned = Math.min(firstPauseMilliseconds * 1.5 ** failures, longestSeconds * 1000)
  return planned * (0.8 + Math.random() * 0.4)
}

async function makeCall<Services>(
  run: StepRun<Services>,
  cancelled: AbortSignal,
): Promise<StepCall<unknown, Services>> {
  const { runner, record, hold, kind, position } = run
  const { database } = runner
  const outputs = run.outputs ?? (await persistently(runner, () => outputsOf(database.db, record.id)))
  const transaction: StepCall<unknown, Services>['transaction'] = async (work) => {
    const result = await database.transaction(async (tx, connection) => {
      await holdInTransaction(tx, hold)
      return work(tx, connection)
    })
    runner.placesChanged()
    return result
  }
  return {
    ...record,
    services: runner.services,
    mark: { key: `${record.id}:${record.attempt}:${run.name}`, operation: record.id, fence: hold.fence },
    output: (step) => outputs[step],
    log: (text, level = 'info') => note(run, level, text),
    progress: (share) =>
      persistently(runner, () => setProgress(database, hold, (position + share) / kind.steps.length)),
    signal: AbortSignal.any([cancelled, runner.stopping]),
    transaction,
    finish: (work) =>
      transaction(async (tx, connection) => {
        const output = await work(tx, connection)
        await finishStep({ db: tx }, hold, position, kind.steps.length, output)
        return output
      }),
    start(tx, connection, childKind, parts) {
      const { id: parentId, startedBy, requestId } = record
      const child = { ...parts, parentId, startedBy, requestId }
      return startOperation(runner.client, tx, connection, childKind, child)
    },
  }
}

function note<Services>(run: StepRun<Services>, level: 'info' | 'warning' | 'error', text: string): Promise<void> {
  return persistently(run.runner, () =>
    addLogLine(run.runner.database, run.hold, run.position, level, `${run.name}: ${text}`),
  )
}

/** Cancelling is a flag in the record, so that it works from any process. */
function watchCancel<Services>(run: StepRun<Services>, cancelled: AbortController): () => void {
  const step = run.kind.steps[run.position]
  if (step?.pointOfNoReturn === true) return () => undefined
  const timer = setInterval(() => {
    cancelIsRequested(run.runner.database.db, run.record.id).then(
      (requested) => requested && cancelled.abort(),
      // The next look will tell; the step itself meets an unreachable database too.
      () => undefined,
    )
  }, cancelPollMilliseconds)
  return () => clearInterval(timer)
}
