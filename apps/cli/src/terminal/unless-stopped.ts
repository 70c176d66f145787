/**
 * Ctrl-C and SIGTERM. Work that has something to put in order or to say gets the first one as a signal; where there is
 * none, and at the second one, the program ends at once.
 */
import { Failure } from '#failure.ts'

export interface Ends {
  /** What is thrown when the work is stopped. */
  interrupted(): Failure
  late?: { seconds: number; failure(): Failure } | undefined
}

const stops = new Set<() => void>()

/** @param endAtOnce ends the process */
export function listenForStops(endAtOnce: () => void): void {
  let isStopping = false
  const stop = () => {
    if (isStopping || stops.size === 0) return endAtOnce()
    isStopping = true
    // The innermost first: it knows best what has become of its work.
    for (const each of [...stops].reverse()) each()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

const longestTimerMilliseconds = 2 ** 31 - 1

/** @throws Failure of `ends` in the place of what the work throws once its signal is aborted */
export async function unlessStopped<Result>(
  { interrupted, late }: Ends,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController()
  const stop = () => stopped.abort(interrupted())
  const isLate = () => stopped.abort(late?.failure())
  const timer = late && setTimeout(isLate, Math.min(late.seconds * 1000, longestTimerMilliseconds))
  stops.add(stop)
  try {
    return await work(stopped.signal)
  } catch (error) {
    throw stopped.signal.aborted && !saysHowItEnded(error) ? stopped.signal.reason : error
  } finally {
    stops.delete(stop)
    clearTimeout(timer)
  }
}

/** A part of the work that has ended by itself, or that was stopped and has said so. A call that was stopped looks cut. */
function saysHowItEnded(error: unknown): boolean {
  return error instanceof Failure && error.kind !== 'unreachable'
}
