/** What the failure of a call to a region means for the operator who waits, and for the step that made it. */

import { because, type CodedReason } from '@roomkeeper/contract'
import { RegionJobFailed, RegionRefusal, RegionUnreachable, WrongServer } from '@roomkeeper/region-protocol'
import { type StepCall, toldByRegion } from '#operations/index.ts'
import { pause } from '#platform/pause.ts'
import { refuse } from '#platform/refuse.ts'

/**
 * Calls a region for an operator who waits: the failures of the region become the answer.
 * @throws Refusal `region-unreachable`, `other-server`, `region-refused`, or `wrong-state` when the region says so
 */
export async function askRegion<T>(regionName: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WrongServer) throw refuse('other-server', { region: regionName })
    if (error instanceof RegionUnreachable) throw refuse('region-unreachable', { region: regionName })
    if (!(error instanceof RegionRefusal)) throw error
    throw refuse(error.status === 409 ? 'wrong-state' : 'region-refused', {
      reason: toldByRegion(error),
    })
  }
}

/** True when a region's failure caused the error, except when the region says that the worker was overtaken. */
export function isRegionError(error: unknown): error is RegionRefusal | RegionJobFailed | RegionUnreachable {
  if (error instanceof RegionRefusal) return error.type !== 'urn:roomkeeper-region:overtaken'
  return error instanceof RegionJobFailed || error instanceof RegionUnreachable
}

/** How long the work is retried: one broken connection does not mean that the region is unreachable. */
const retryMilliseconds = 5000
const pauseMilliseconds = 500

/**
 * For undos that have nothing to restore. Runs work that stops and checks what a step has started on a region, if the
 * region answers. Otherwise the operation ends without it: the step has been retried for long enough, and its room and
 * slot should not wait longer. Late calls are refused as soon as the region can be reached (late-calls.ts), and a
 * region ends work that it has started before it does anything else with the room.
 */
export async function tryOnRegion(
  call: Pick<StepCall<unknown>, 'log' | 'signal'>,
  work: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + retryMilliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (call.signal.aborted || !isRegionError(error)) throw error
      if (!error.isTransient || performance.now() >= end) return await logUnknownOutcome(call, toldByRegion(error))
      await pause(pauseMilliseconds, call.signal)
      call.signal.throwIfAborted()
    }
  }
}

function logUnknownOutcome(call: Pick<StepCall<unknown>, 'log'>, reason: CodedReason): Promise<void> {
  return call.log([reason, because('log-outcome-unknown')], 'warning')
}

/** Does what a later call may do as well: if the region fails, the operation's log says so, and it goes on. */
export async function logFailureOfRegion(
  call: Pick<StepCall<unknown>, 'log' | 'signal'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
    await call.log([toldByRegion(error)], 'warning')
  }
}
