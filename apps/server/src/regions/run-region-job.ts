/** Runs a job on a region as part of a step, and copies its log lines and progress to the operation. */
import { because, type CodedReason } from '@roomkeeper/contract'
import {
  cleanText,
  isUnknownToRegion,
  type JobLine,
  type JobRequest,
  type JobResult,
  type JobState,
  jobHasEnded,
  type RegionClient,
  RegionJobFailed,
  RegionRefusal,
  RegionUnreachable,
} from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { pause } from '#platform/pause.ts'
import { nameOfClient } from './connect-region.ts'

const mostInterruptions = 20
const pollMilliseconds = 200
/** Ten times the tries of a week, one a minute; a region that reports more claims jobs that it never got. */
const triesAtMost = 100_000

/** Limits for a region whose jobs never end. Tests use shorter ones. */
export interface JobLimits {
  /** How long a job may make no progress and log nothing; default: the limit of `runJob`. */
  stallMilliseconds?: number
  /** The limit for stopping a job, or finding its result, over all its tries. */
  stopMilliseconds?: number
}
const stopMilliseconds = 5 * 60_000
/** For an undo that can leave its work to another operation, and so should not block its room and slot for long. */
export const shortLimits: JobLimits = { stallMilliseconds: 5 * 60_000 }

/** Limits, and what belongs to a job besides. */
interface JobOptions extends JobLimits {
  /** Called with the id of each try of the job, before the region is asked to start it. */
  beforeTry?(job: string): Promise<void>
}

export type JobCall = Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>

/**
 * Runs a job to its end. The job's id consists of the operation, its attempt, the name and a number, so that a repeated
 * step finds the job that it started before. A job that failed transiently or was interrupted is never started again:
 * the next try has the next number.
 * @param name the name of the job within its operation, also for `stopRegionJob`; it must never change (decision 061)
 */
export async function runRegionJob<Input extends JobRequest>(
  call: JobCall,
  region: RegionClient,
  input: Input,
  name: string,
  { beforeTry, stallMilliseconds }: JobOptions = {},
): Promise<JobResult<Input['type']>> {
  const key = keyOf(call, name)
  const checkedAt = { number: 0, isNewest: false }
  const log = linesOf(call, nameOfClient(region))
  for (let interruptions = 0; ; ) {
    try {
      const job = jobIdOf(key, checkedAt.number)
      await beforeTry?.(job)
      return await region.runJob(job, input, call.mark, {
        ...(stallMilliseconds === undefined ? {} : { stallMilliseconds }),
        signal: call.signal,
        onLines: async (lines, progress) => {
          await log.add(lines)
          await call.progress(progress)
        },
      })
    } catch (error) {
      if (!(error instanceof RegionJobFailed) || !error.isTransient) throw error
      if (error.hadEnded && !checkedAt.isNewest) {
        checkedAt.number = await nextTry(region, key)
        checkedAt.isNewest = true
        continue
      }
      interruptions += 1
      if (error.state !== 'interrupted' || interruptions > mostInterruptions) throw error
      checkedAt.number += 1
      await call.log([because('log-job-again')], 'warning')
    }
  }
}

/** The number of the newest try, or the next number if that try failed transiently. */
async function nextTry(region: RegionClient, key: string): Promise<number> {
  const newest = await newestTry(region, key)
  const job = await region.job(jobIdOf(key, newest))
  const isOver = jobHasEnded(job.state) && job.state !== 'done'
  return isOver && new RegionJobFailed(job).isTransient ? newest + 1 : newest
}

/** Searches by doubling and then bisection, because a job that is retried for a week has thousands of numbers. */
async function newestTry(region: RegionClient, key: string): Promise<number> {
  const exists = async (number: number) => (await region.job(jobIdOf(key, number)).catch(orUnknown)) !== null
  let known = 0
  let step = 1
  for (; await exists(known + step); step *= 2) {
    known += step
    if (known > triesAtMost) throw knowsTooMuch()
  }
  for (let unknown = known + step; unknown - known > 1; ) {
    const middle = Math.floor((known + unknown) / 2)
    if (await exists(middle)) known = middle
    else unknown = middle
  }
  return known
}

/**
 * Cancels the jobs that `runRegionJob` started under this name, in this attempt or in earlier ones that were not
 * undone, and waits until they have ended and can change nothing more. A region whose job does not end in time counts
 * as unreachable, because an undo must be able to give up.
 * @returns whether a job may have taken effect: a failed job has not, but a job that a restart of the region
 * interrupted may have, if it had already done its last step
 */
export async function stopRegionJob(
  call: JobCall,
  region: RegionClient,
  name: string,
  limits: JobLimits = {},
): Promise<boolean> {
  const inTime = timeLimit(limits)
  let mayHaveEffect = false
  // This attempt's jobs come first: the cancel carries the new fence, so that no late call starts a job afterwards.
  for (let attempt = call.attempt; attempt > 0; attempt -= 1) {
    const key = keyOf({ ...call, attempt }, name)
    for (let number = 0; ; number += 1) {
      const state = await stopTry(call, region, jobIdOf(key, number), inTime)
      if (state === null) break
      if (state !== 'failed') mayHaveEffect = true
    }
  }
  return mayHaveEffect
}

/** @returns how the job ended; null: there is no such job */
async function stopTry(call: JobCall, region: RegionClient, id: string, inTime: () => void): Promise<JobState | null> {
  inTime()
  const job = await region.cancelJob(id, call.mark).catch(orUnknown)
  if (job === null) return null
  let { state } = job
  while (!jobHasEnded(state)) {
    await pause(pollMilliseconds, call.signal)
    call.signal.throwIfAborted()
    inTime()
    state = (await region.job(id)).state
  }
  return state
}

/** The result of a job of this name, from the newest attempt in which one was done; null: none was done. */
export async function resultOfJob(
  operation: Pick<JobCall, 'id' | 'attempt'>,
  region: RegionClient,
  name: string,
  limits: JobLimits = {},
): Promise<unknown> {
  const inTime = timeLimit(limits)
  for (let { attempt } = operation; attempt > 0; attempt -= 1) {
    for (let number = 0; ; number += 1) {
      inTime()
      const job = await region.job(jobIdOf(keyOf({ ...operation, attempt }, name), number)).catch(orUnknown)
      if (job === null) break
      if (job.state === 'done') return job.result
    }
  }
  return null
}

/** How the job of this name ended in this attempt alone, or how far it is; null: the attempt did not start it. */
export async function stateOfJob(
  operation: Pick<JobCall, 'id' | 'attempt'>,
  region: RegionClient,
  name: string,
  limits: JobLimits = {},
): Promise<JobState | null> {
  const inTime = timeLimit(limits)
  let state: JobState | null = null
  for (let number = 0; state !== 'done'; number += 1) {
    inTime()
    const job = await region.job(jobIdOf(keyOf(operation, name), number)).catch(orUnknown)
    if (job === null) break
    state = job.state
  }
  return state
}

/** @returns a check that throws RegionUnreachable once the time is over */
function timeLimit(limits: JobLimits): () => void {
  const end = performance.now() + (limits.stopMilliseconds ?? stopMilliseconds)
  return () => {
    if (performance.now() >= end) throw new RegionUnreachable('its jobs do not come to an end')
  }
}

function knowsTooMuch(): RegionRefusal {
  return new RegionRefusal(502, 'about:blank', 'The region does not follow the protocol: it knows jobs without end.')
}

function orUnknown(error: unknown): null {
  if (isUnknownToRegion(error)) return null
  throw error
}

function keyOf(call: Pick<JobCall, 'id' | 'attempt'>, name: string): string {
  return `${call.id}:${call.attempt}:${name}`
}

function jobIdOf(key: string, number: number): string {
  return `${key.replace(/[^A-Za-z0-9]+/g, '-')}-${number}`
}

const linesAtMost = 10_000

type Log = Pick<StepCall<unknown>, 'log'>

/** Lines counted per step call, because another try of a step gets all earlier lines of its job again. */
const lineCounts = new WeakMap<Log, number>()

/** The region's own words, which the console cannot translate. */
function said(told: string, region: string | undefined): CodedReason {
  return region === undefined ? because('told', { told }) : because('log-line-of-region', { region, told })
}

/**
 * Copies the log of a job to the operation's log, up to a limit.
 * @param from the region, which is named in each line
 */
export function linesOf(
  call: Log,
  from?: string,
): { add(lines: readonly Pick<JobLine, 'level' | 'text'>[]): Promise<void> } {
  return {
    async add(lines) {
      for (const { level, text } of lines) {
        const count = (lineCounts.get(call) ?? 0) + 1
        if (count > linesAtMost + 1) return
        lineCounts.set(call, count)
        if (count > linesAtMost) await call.log([because('log-more-said')], 'warning')
        else await call.log([said(cleanText(text), from)], level)
      }
    },
  }
}
