/** Starts a job and follows it until it has ended. */
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import {
  type JobInfo,
  type JobLine,
  type JobRequest,
  type JobResult,
  type JobType,
  jobHasEnded,
  jobResults,
} from '../jobs.ts'
import type { CallMark } from '../mark.ts'
import { RegionJobFailed, RegionUnreachable } from './errors.ts'
import { requireForm } from './require-form.ts'

export interface FollowOptions {
  /** Stops following; the job goes on. */
  signal?: AbortSignal
  /** Called with new log lines, in order, and the progress from 0 to 1; also when only the progress changed. */
  onLines?: (lines: JobLine[], progress: number) => void | Promise<void>
  /** Only lines after this number are reported; default 0. */
  after?: number
  /** The longest pause between two polls; default 1000. */
  pollMilliseconds?: number
  /** After this long without progress or new log lines, the region counts as unreachable. */
  stallMilliseconds?: number
}

/** Real regions may be silent for long: while a job is queued, and while a large database is read or digested. */
const stallMilliseconds = 2 * 60 * 60_000

interface JobCalls {
  startJobAndWait(id: string, input: JobRequest, mark: CallMark | undefined, milliseconds: number): Promise<JobInfo>
  job(id: string, after?: number, waitMilliseconds?: number): Promise<JobInfo>
}

/** The result has the shape `jobResults[input.type]`. @throws {RegionJobFailed | RegionUnreachable} */
export async function runJob(
  calls: JobCalls,
  id: string,
  input: JobRequest,
  mark: CallMark | undefined,
  options: FollowOptions,
): Promise<JobResult<JobType>> {
  let after = options.after ?? 0
  let progress = -1
  const longest = options.pollMilliseconds ?? 1000
  let wait = 20
  let job = await calls.startJobAndWait(id, input, mark, longest)
  const hadEnded = jobHasEnded(job.state) && job.isNew !== true
  const stalls = stallWatch(options.stallMilliseconds ?? stallMilliseconds)
  while (true) {
    const fresh = job.lines.filter((line) => line.n > after)
    if (fresh.length > 0 || job.progress !== progress) await options.onLines?.(fresh, job.progress)
    after = fresh.at(-1)?.n ?? after
    progress = job.progress
    if (jobHasEnded(job.state)) return resultOf(job, input.type, hadEnded)
    options.signal?.throwIfAborted()
    stalls.check(job, fresh.length > 0)
    const askedAt = performance.now()
    job = await calls.job(id, after, longest)
    // A region that ignores the waiting time answers at once, so it is polled.
    const rest = wait - (performance.now() - askedAt)
    if (rest > 0 && !jobHasEnded(job.state))
      await pause(rest, undefined, options.signal ? { signal: options.signal } : {})
    wait = Math.min(wait * 1.5, longest)
  }
}

/** Only progress beyond the furthest value so far counts, not a value that goes back and forth. */
function stallWatch(limit: number): { check(job: JobInfo, hasNewLines: boolean): void } {
  let furthest = -1
  let wasRunning = false
  let since = performance.now()
  return {
    check({ state, progress }, hasNewLines) {
      const isRunning = state === 'running'
      if (hasNewLines || progress > furthest || (isRunning && !wasRunning)) since = performance.now()
      else if (performance.now() - since >= limit) throw new RegionUnreachable('its job does not go on')
      furthest = Math.max(furthest, progress)
      wasRunning ||= isRunning
    },
  }
}

function resultOf(job: JobInfo, type: JobType, hadEnded: boolean): JobResult<JobType> {
  if (job.state !== 'done') throw new RegionJobFailed(job, hadEnded)
  return requireForm<z.ZodType<JobResult<JobType>>>(jobResults[type], job.result, `result of the job ${type}`)
}
