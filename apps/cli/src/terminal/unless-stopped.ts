/**
 * Ctrl-C and SIGTERM. Work that has something to put in order or to say gets the first one as a signal; where there is
 * none, and at the second one, the program ends at once.
 */
import { Failure } from '#failure.ts'
import type { Terminal } from './terminal.ts'

export interface StopFailures {
  /** What is thrown when the work is stopped. */
  interrupted(): Failure
  late?: { seconds: number; failure(): Failure } | undefined
}

/** @returns false: no work has anything to put in order */
export function interrupt({ stops }: Terminal): boolean {
  // The innermost work comes first, because it knows best how far it is.
  const all = [...stops].reverse()
  for (const each of all) each()
  return all.length > 0
}

const longestTimerMilliseconds = 2 ** 31 - 1

/** @throws Failure of `ends` in the place of what the work throws once its signal is aborted */
export async function unlessStopped<Result>(
  { stops, clock }: Terminal,
  { interrupted, late }: StopFailures,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController()
  const ended = new AbortController()
  const stop = () => stopped.abort(new Stop(interrupted()))
  if (late !== undefined)
    clock.pause(Math.min(late.seconds * 1000, longestTimerMilliseconds), ended.signal).then(
      () => stopped.abort(new Stop(late.failure())),
      () => undefined,
    )
  stops.add(stop)
  try {
    return await work(stopped.signal)
  } catch (error) {
    const { aborted, reason } = stopped.signal
    throw aborted && !isFinal(error) ? (reason as Stop).failure : error
  } finally {
    stops.delete(stop)
    ended.abort()
  }
}

/**
 * Why a signal was aborted. Node 24 overwrites the reason of a signal that follows several others, so nested work may
 * see that of the outermost work, which must not replace its own failure.
 */
class Stop extends Failure {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.kind, failure.message, failure.details)
    this.failure = failure
  }
}

/** Whether a part of the work has told how it ended. A call that was stopped looks as if the connection was cut. */
function isFinal(error: unknown): boolean {
  return error instanceof Failure && !(error instanceof Stop) && error.kind !== 'unreachable'
}
