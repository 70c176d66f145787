/** Runs jobs: one at a time for each room that they need, and at most `jobsAtOnce` in the region. */
import { setTimeout as pause } from 'node:timers/promises'
import type { JobInput } from '@roomkeeper/region-protocol'
import type { Span } from '@roomkeeper/tracing'
import pLimit from 'p-limit'
import { createKeyedMutex } from '#keyed-mutex.ts'
import { Refusal, type RefusalCode, refusalOfError } from '#refusals.ts'
import type { Region } from '#region.ts'
import { asDamageRefusal } from '#rooms/damaged-rooms.ts'
import { inJob, traceJobEnd } from '#trace-work.ts'
import { recordEffect } from './effects.ts'
import type { JobKinds, RunningJob } from './job-kind.ts'
import type { JobEnd, JobStore } from './job-store.ts'

export interface JobRunner {
  launch(id: string, input: JobInput): void
  /** From 0 to 1; undefined if the job neither waits nor runs. */
  progressOf(id: string): number | undefined
  /** Records how the job ended in the database, or in memory if that is not possible. */
  end(id: string, how: JobEnd): void
  /** How a job ended whose end could not be recorded in the database, as on a full disk. */
  unwrittenEndOf(id: string): JobEnd | undefined
  /** Returns when the job has ended, or after this time. */
  untilEnded(id: string, milliseconds: number): Promise<void>
  /** Ends the job for this reason, if that is still possible, and returns when the job has ended. */
  abort(id: string, reason: Refusal): Promise<void>
  abortAll(reason: Refusal): Promise<void>
}

interface ActiveJob {
  progress: number
  started: boolean
  controller: AbortController
  ended: Promise<void>
  /** From its acceptance on, so what it waits for before it begins is in it. Null: it belongs to no trace. */
  span: Span | null
}

const jobsAtOnce = 4
/** With these refusals the job may or may not have taken effect, so the caller has to start it again. */
const mayBeHalfDone: readonly RefusalCode[] = ['interrupted', 'unfinished']

export function createJobRunner(
  region: Region,
  store: JobStore,
  kinds: JobKinds,
  reportBug: (error: unknown) => void,
): JobRunner {
  const active = new Map<string, ActiveJob>()
  const roomMutex = createKeyedMutex()
  const jobLimit = pLimit(jobsAtOnce)
  const unwrittenEnds = new Map<string, JobEnd>()

  /** A job's result is valid even if a full disk keeps it from being recorded. */
  function end(id: string, how: JobEnd): void {
    traceJobEnd(active.get(id)?.span ?? null, how)
    try {
      store.end(id, how)
    } catch (error) {
      unwrittenEnds.set(id, how)
      reportUnlessFull(error)
    }
  }

  function addLogLine(id: string, level: 'info' | 'error', text: string): void {
    try {
      store.addLine(id, level, text)
    } catch (error) {
      reportUnlessFull(error)
    }
  }

  function reportUnlessFull(error: unknown): void {
    if (refusalOfError(error).code !== 'storage-full') reportBug(error)
  }

  async function run(id: string, input: JobInput, job: ActiveJob): Promise<void> {
    const { signal } = job.controller
    if (signal.aborted) return
    job.started = true
    job.span?.note('begins')
    try {
      const run = kinds[input.type].run as (job: RunningJob<JobInput['type']>) => Promise<unknown>
      const running: RunningJob<JobInput['type']> = {
        id,
        region,
        input,
        signal,
        log: (text) => addLogLine(id, 'info', text),
        progress: (fraction) => {
          job.progress = Math.max(job.progress, Math.min(fraction, 1))
        },
        recordEffect: (effect) => recordEffect(region.database, id, effect),
      }
      const work = () => {
        store.begin(id)
        return run(running)
      }
      const { deletes } = kinds[input.type]
      const result = deletes ? await region.reserve.forDeletion(async () => work()) : await work()
      end(id, { state: 'done', result, error: null })
    } catch (error) {
      const cause = causeOf(error, signal)
      fail(id, kinds[input.type].withoutRoom ? cause : asDamageRefusal(region, input.room, cause))
    }
  }

  function fail(id: string, error: unknown): void {
    const { code, problem } = refusalOfError(error)
    if (code === 'internal') reportBug(error)
    addLogLine(id, 'error', problem.detail)
    end(id, { state: mayBeHalfDone.includes(code) ? 'interrupted' : 'failed', result: null, error: problem })
  }

  async function abort(id: string, reason: Refusal): Promise<void> {
    const job = active.get(id)
    if (job === undefined) return
    // A waiting job ends at once; a running job ends when its work has reacted to the signal.
    const endsNow = !job.started && !job.controller.signal.aborted
    job.controller.abort(reason)
    if (endsNow) fail(id, reason)
    if (job.started) await job.ended
  }

  return {
    launch(id, input) {
      const job: ActiveJob = {
        progress: 0,
        started: false,
        controller: new AbortController(),
        ended: Promise.resolve(),
        span: null,
      }
      active.set(id, job)
      const limited = () => jobLimit(() => run(id, input, job))
      const { withoutRoom } = kinds[input.type]
      job.ended = inJob(id, input, (span) => {
        job.span = span
        return withoutRoom ? limited() : roomMutex.runExclusive(input.room, limited)
      })
        .catch(reportBug)
        .finally(() => {
          active.delete(id)
          region.reserve.keep()
        })
    },
    progressOf: (id) => active.get(id)?.progress,
    end,
    unwrittenEndOf: (id) => unwrittenEnds.get(id),
    async untilEnded(id, milliseconds) {
      const over = new AbortController()
      const waited = pause(milliseconds, undefined, { signal: over.signal, ref: false }).catch(() => undefined)
      await Promise.race([active.get(id)?.ended, waited])
      over.abort()
    },
    abort,
    async abortAll(reason) {
      const jobs = [...active]
      await Promise.all(jobs.map(([id]) => abort(id, reason)))
      // Those that had not begun end their spans in their turn.
      await Promise.all(jobs.map(([, { ended }]) => ended))
    },
  }
}

/** The abort's reason if the work was aborted, unless the work itself threw a refusal. */
function causeOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !(error instanceof Refusal) ? signal.reason : error
}
