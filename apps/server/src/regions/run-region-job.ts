/** Runs a region's job as part of an operation's step: its log lines and progress become the operation's. */
import {
  type JobRequest,
  type JobResult,
  jobHasEnded,
  type RegionClient,
  RegionJobFailed,
  RegionRefusal,
} from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { pause } from '#platform/pause.ts'

const mostInterruptions = 20
const lookAgainMilliseconds = 200

type JobCall = Pick<StepCall<unknown, unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>

/**
 * The job's id comes from the operation and its attempt, so that a repeated step finds the job that it started before.
 * A job that a restart of the region interrupted is started again under a new id.
 * @param name what the job is called within its operation, for `stopRegionJob`; by default the step's own
 */
export async function runRegionJob<Input extends JobRequest>(
  call: JobCall,
  region: RegionClient,
  input: Input,
  name?: string,
): Promise<JobResult<Input['type']>> {
  for (let interruptions = 0; ; interruptions += 1) {
    try {
      const id = jobIdOf(name === undefined ? call.mark.key : keyOf(call, name), interruptions)
      return await region.runJob(id, input, call.mark, {
        signal: call.signal,
        onLines: (lines, progress) => report(call, lines, progress),
      })
    } catch (error) {
      const again =
        error instanceof RegionJobFailed && error.state === 'interrupted' && interruptions < mostInterruptions
      if (!again) throw error
      await call.log('The region was restarted and interrupted its job; starting it again.', 'warning')
    }
  }
}

/**
 * Cancels what `runRegionJob` started under this name and waits until it has ended, so that it changes nothing more.
 * @returns whether it may have taken effect: a job that failed has none, one that a restart of the region interrupted
 * may have been so after its last step
 */
export async function stopRegionJob(call: JobCall, region: RegionClient, name: string): Promise<boolean> {
  let mayHaveEffect = false
  for (let interruptions = 0; ; interruptions += 1) {
    const id = jobIdOf(keyOf(call, name), interruptions)
    // Cancelling comes first: it tells the region the new fence, so that no older call can start the job after all.
    const job = await region.cancelJob(id, call.mark).catch(orUnknown)
    if (job === null) return mayHaveEffect
    let { state } = job
    while (!jobHasEnded(state)) {
      await pause(lookAgainMilliseconds, call.signal)
      call.signal.throwIfAborted()
      state = (await region.job(id)).state
    }
    if (state !== 'failed') mayHaveEffect = true
  }
}

/** What a job of this name answered in an earlier attempt; null when none was done. */
export async function resultOfEarlierJob(call: JobCall, region: RegionClient, name: string): Promise<unknown> {
  for (let attempt = 1; attempt < call.attempt; attempt += 1) {
    for (let interruptions = 0; ; interruptions += 1) {
      const job = await region.job(jobIdOf(keyOf({ ...call, attempt }, name), interruptions)).catch(orUnknown)
      if (job === null) break
      if (job.state === 'done') return job.result
    }
  }
  return null
}

function orUnknown(error: unknown): null {
  if (error instanceof RegionRefusal && error.status === 404) return null
  throw error
}

function keyOf(call: JobCall, name: string): string {
  return `${call.id}:${call.attempt}:${name}`
}

function jobIdOf(key: string, interruptions: number): string {
  return `${key.replace(/[^A-Za-z0-9]+/g, '-')}-${interruptions}`
}

async function report(
  call: JobCall,
  lines: { level: 'info' | 'warning' | 'error'; text: string }[],
  progress: number,
): Promise<void> {
  for (const line of lines) await call.log(line.text, line.level)
  await call.progress(progress)
}
