/** Repeats calls until they are answered, with one Idempotency-Key per call, as a careful program does. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type CallInput, ProblemError, type RouteName, type Routes } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'

const pauseMilliseconds = 250

/**
 * @param seconds for how long the call is repeated
 * @throws {ProblemError} if the server refuses the call for good, or still refuses it at the end
 */
export async function callUntilAnswered<Name extends RouteName>(
  network: Network,
  name: Name,
  input: CallInput<Routes[Name]>,
  seconds = 600,
): Promise<Answer<Name>> {
  const headers = { ...input.headers, 'idempotency-key': randomUUID() }
  // The time limit is for frozen processes, which do not answer.
  const call = () => ({ ...input, headers, signal: AbortSignal.timeout(60_000) }) as unknown as CallInput<Routes[Name]>
  return untilAnswered(() => network.admin.call(name, call()), { seconds, isFinal: hasEnded })
}

/**
 * Repeats the work until it succeeds or fails for good.
 * @throws the final error; if the time ran out, an Error that lists the errors and how often each occurred
 */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  { seconds = 600, isFinal = () => false }: { seconds?: number; isFinal?: (error: unknown) => boolean } = {},
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  const met = new Map<string, number>()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isFinal(error) || !isTransient(error)) throw error
      const words = inWords(error)
      met.set(words, (met.get(words) ?? 0) + 1)
      if (Date.now() > deadline) throw neverSucceeded(error, seconds, met)
    }
    await pause(pauseMilliseconds)
  }
}

/** The answer to a call whose operation has failed. Repeating the call with the same key gets the same answer. */
function hasEnded(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'region-refused'
}

function inWords(error: unknown): string {
  if (error instanceof ProblemError) return `${error.problem.status} ${error.problem.detail ?? error.message}`
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Refusals of the server are kept as they are, because callers distinguish them. */
function neverSucceeded(error: unknown, seconds: number, met: ReadonlyMap<string, number>): unknown {
  if (error instanceof ProblemError) return error
  const tries = [...met].map(([words, times]) => `${times} × ${words}`)
  return new Error(`Tried for ${seconds} s:\n${tries.join('\n')}`, { cause: error })
}

const transientTexts = [
  'TimeoutError',
  'RegionUnreachable',
  'Connection terminated',
  'timeout exceeded',
  'timeout expired',
]

/**
 * Transient errors: the server was unreachable, cut off or overloaded, something behind it is down, or the session is
 * over, because the clock has jumped. 507 is not transient: an operation that ran out of disk space fails with it, and
 * its key gets that answer from then on.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof ProblemError) {
    const { status } = error.problem
    return (status >= 500 && status !== 507) || status === 429 || status === 401
  }
  if (!(error instanceof Error)) return false
  return (
    error instanceof TypeError ||
    'code' in error ||
    transientTexts.some((text) => `${error.name}: ${error.message}`.includes(text))
  )
}
