/** Calls that are repeated until they are answered, as a careful program does: with one Idempotency-Key. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type CallInput, ProblemError, type RouteName, type Routes } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'

const pauseMilliseconds = 250

/**
 * @param seconds how long it is tried
 * @throws {ProblemError} what the server refuses for good, or still answers at the end
 */
export async function callUntilAnswered<Name extends RouteName>(
  network: Network,
  name: Name,
  input: CallInput<Routes[Name]>,
  seconds = 600,
): Promise<Answer<Name>> {
  const headers = { ...input.headers, 'idempotency-key': randomUUID() }
  // A process that is frozen does not answer either.
  const call = () => ({ ...input, headers, signal: AbortSignal.timeout(60_000) }) as unknown as CallInput<Routes[Name]>
  return untilAnswered(() => network.admin.call(name, call()), { seconds, isFinal: hasEnded })
}

/**
 * Repeats until it succeeds or fails finally.
 * @throws what it failed with; when it was tried until the end, an Error that says with what how often
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
      if (isFinal(error) || !mayPass(error)) throw error
      const words = inWords(error)
      met.set(words, (met.get(words) ?? 0) + 1)
      if (Date.now() > deadline) throw neverSucceeded(error, seconds, met)
    }
    await pause(pauseMilliseconds)
  }
}

/** So answers a call whose operation has failed, and to the same key again and again. */
function hasEnded(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'region-refused'
}

function inWords(error: unknown): string {
  if (error instanceof ProblemError) return `${error.problem.status} ${error.problem.detail ?? error.message}`
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Refusals of the server are thrown as they are, because callers distinguish them. */
function neverSucceeded(error: unknown, seconds: number, met: ReadonlyMap<string, number>): unknown {
  if (error instanceof ProblemError) return error
  const tries = [...met].map(([words, times]) => `${times} × ${words}`)
  return new Error(`Tried for ${seconds} s:\n${tries.join('\n')}`, { cause: error })
}

const passing = ['TimeoutError', 'RegionUnreachable', 'Connection terminated', 'timeout exceeded', 'timeout expired']

/**
 * Not reached, cut off, overloaded, or something behind the server is away. Not 507: so ends an operation that found no
 * space, and that is what its key is answered with from then on.
 */
function mayPass(error: unknown): boolean {
  if (error instanceof ProblemError) {
    const { status } = error.problem
    return (status >= 500 && status !== 507) || status === 429
  }
  if (!(error instanceof Error)) return false
  return (
    error instanceof TypeError ||
    'code' in error ||
    passing.some((text) => `${error.name}: ${error.message}`.includes(text))
  )
}
