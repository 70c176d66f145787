/** For undos with nothing to restore: not worth waiting for an unreachable region. */
import { RegionJobFailed, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'
import { pause } from '#platform/pause.ts'

/** Whether a region's failure caused the error; not when the region says that the worker was overtaken. */
export function isRegionError(error: unknown): error is RegionRefusal | RegionJobFailed | RegionUnreachable {
  if (error instanceof RegionRefusal) return error.type !== 'urn:roomkeeper-region:overtaken'
  return error instanceof RegionJobFailed || error instanceof RegionUnreachable
}

/** An occasional broken connection does not mean that the region is unreachable. */
const patienceMilliseconds = 5000
const pauseMilliseconds = 500

/**
 * Runs work that stops and checks what a step has started on a region, if the region answers. Otherwise the operation
 * ends without it: the step has been retried for long enough, and its room and slot should not wait longer. Late calls
 * are refused as soon as the region can be reached (late-calls.ts); work that the region has started ends before it
 * does anything else with the room.
 */
export async function tryOnRegion(
  call: Pick<StepCall<unknown, unknown>, 'log' | 'signal'>,
  work: () => Promise<void>,
): Promise<void> {
  const end = Date.now() + patienceMilliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (call.signal.aborted || !isRegionError(error)) throw error
      if (!error.isTransient || Date.now() >= end) return await logUnknownOutcome(call, error.message)
      await pause(pauseMilliseconds, call.signal)
      call.signal.throwIfAborted()
    }
  }
}

function logUnknownOutcome(call: Pick<StepCall<unknown, unknown>, 'log'>, reason: string): Promise<void> {
  const unknown = 'Whether it has done it all the same could not be seen; what comes there late is refused.'
  return call.log(`${reason} ${unknown}`, 'warning')
}
