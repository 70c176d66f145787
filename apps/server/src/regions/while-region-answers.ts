/** For undos that have nothing to put back: what they want of a region is not worth waiting for it. */
import { RegionJobFailed, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { pause } from '#platform/pause.ts'

/** Not the sign that another worker has taken the operation over. */
export function isOfRegion(error: unknown): error is RegionRefusal | RegionJobFailed | RegionUnreachable {
  if (error instanceof RegionRefusal) return error.type !== 'urn:roomkeeper-region:overtaken'
  return error instanceof RegionJobFailed || error instanceof RegionUnreachable
}

/** A connection that breaks now and then is no region that is away. */
const patienceMilliseconds = 5000
const pauseMilliseconds = 500

/**
 * Stops what a step has begun on a region, and looks what has become of it, if the region lets itself be asked. The step
 * has been tried for long enough: its room and place are not kept waiting any longer for a region that is away. What it
 * gets late it refuses, as soon as it can be told (late-calls.ts); what it has begun comes to its end, before anything
 * else that it does with the room.
 */
export async function whileRegionAnswers(
  call: Pick<StepCall<unknown, unknown>, 'log' | 'signal'>,
  work: () => Promise<void>,
): Promise<void> {
  const end = Date.now() + patienceMilliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (call.signal.aborted || !isOfRegion(error)) throw error
      if (!error.passing || Date.now() >= end) return await tellUnseen(call, error.message)
      await pause(pauseMilliseconds, call.signal)
      call.signal.throwIfAborted()
    }
  }
}

function tellUnseen(call: Pick<StepCall<unknown, unknown>, 'log'>, reason: string): Promise<void> {
  const unseen = 'Whether it has done it all the same could not be seen; what comes there late is refused.'
  return call.log(`${reason} ${unseen}`, 'warning')
}
