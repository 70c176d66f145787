/**
 * Jobs as the protocol shows them. A restart marks unfinished jobs as interrupted, or as done if they had taken effect.
 * It continues no job and need not: a job leaves its room whole at any moment.
 */
import { type JobInfo, type JobInput, jobHasEnded } from '@roomkeeper/region-protocol'
import type { Fence } from '#fences.ts'
import { problemOf, refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { resultOfEffect } from './effects.ts'
import type { JobKinds } from './job-kind.ts'
import { createJobRunner } from './job-runner.ts'
import { createJobStore, type JobEnd, storableInput } from './job-store.ts'

export interface Jobs {
  /** A known id returns the known job. @throws {Refusal} 'job-differs', and the refusals of the kind's check */
  start(id: string, input: JobInput, fence: Fence | undefined): JobInfo
  /** @throws {Refusal} 'job-unknown' */
  find(id: string, afterLine: number): JobInfo
  /** Returns when the job has ended, or after this time; at once if there is no such job. */
  untilEnded(id: string, milliseconds: number): Promise<void>
  /**
   * Returns when the job has ended. A job that has already changed its room ends done.
   * @throws {Refusal} 'job-unknown'
   */
  cancel(id: string, fence: Fence | undefined): Promise<JobInfo>
  /** Interrupts all jobs and starts no more. */
  stop(): Promise<void>
  /** Forgets the jobs that ended long ago. */
  forgetOld(): void
}

const jobsAreKeptDays = 30
const interrupted: JobEnd = { state: 'interrupted', result: null, error: problemOf('interrupted') }

export function createJobs(region: Region, kinds: JobKinds, reportBug: (error: unknown) => void): Jobs {
  const store = createJobStore(region.database)
  const runner = createJobRunner(region, store, kinds, reportBug)
  for (const { id, effect } of store.unfinished()) {
    const result = resultOfEffect(effect)
    runner.end(id, result === undefined ? interrupted : { state: 'done', result, error: null })
  }

  const describe = (id: string, afterLine: number): JobInfo => {
    const job = store.find(id)
    if (job === undefined) throw refuse('job-unknown')
    const { type, room } = job
    const progress = runner.progressOf(id)
    const isUnwritten = progress === undefined && !jobHasEnded(job.state)
    const { state, result, error } = isUnwritten ? (runner.unwrittenEndOf(id) ?? interrupted) : job
    const lines = store.linesAfter(id, afterLine)
    return { id, type, room, state, progress: state === 'done' ? 1 : (progress ?? job.progress), lines, result, error }
  }

  let stopped = false
  /** @returns whether the job is new */
  const addUnlessKnown = (id: string, input: JobInput): boolean => {
    const known = store.find(id)
    if (known !== undefined) {
      if (known.input !== storableInput(input)) throw refuse('job-differs')
      return false
    }
    if (stopped) throw refuse('interrupted')
    if (!kinds[input.type].deletes) region.reserve.refuseGrowth()
    const check = kinds[input.type].check as (region: Region, input: JobInput) => void
    check(region, input)
    store.add(id, input)
    return true
  }
  const start = (id: string, input: JobInput, fence: Fence | undefined): JobInfo => {
    const isNew = region.fences.admitWith(fence, () => addUnlessKnown(id, input))
    // Not before the job is on disk.
    if (isNew) runner.launch(id, input)
    return { ...describe(id, 0), isNew }
  }
  return {
    start(id, input, fence) {
      if (kinds[input.type].deletes) return region.reserve.forDeletionSync(() => start(id, input, fence))
      return start(id, input, fence)
    },
    find: describe,
    untilEnded: runner.untilEnded,
    async cancel(id, fence) {
      region.reserve.forDeletionSync(() => region.fences.admit(fence))
      if (!jobHasEnded(describe(id, 0).state)) await runner.abort(id, refuse('cancelled'))
      return describe(id, 0)
    },
    async stop() {
      stopped = true
      await runner.abortAll(refuse('interrupted'))
    },
    forgetOld: () => store.forgetOlderThan(jobsAreKeptDays),
  }
}
