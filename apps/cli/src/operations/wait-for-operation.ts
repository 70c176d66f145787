/** Follows an operation to its end. Another process of the server may run it, or answer, at any time. */
import type { FinishedOperation } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { type Progress, type ProgressLine, progressLine } from '#terminal/progress.ts'
import type { Clock, Terminal } from '#terminal/terminal.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'

export interface Waiting {
  operationId: string
  /** Such as `Creating fleet1`. */
  what: string
  timeoutSeconds?: number | undefined
  /** Reads how far the operation is. Default: from the list of running operations. */
  progress?: (server: Server) => Promise<Progress | null>
  /** Whether the user cancelled the operation, so that it is no failure. */
  mayBeCancelled?: boolean
  /** Whether to show no bar, because several operations are waited for at once. */
  isSilent?: boolean
}

const firstPauseSeconds = 0.2
const longestPauseSeconds = 2

/** @throws Failure `operation-failed`, `timed-out`, `interrupted` */
export async function waitForOperation(
  terminal: Terminal,
  server: Server,
  waiting: Waiting,
): Promise<FinishedOperation> {
  const { operationId, timeoutSeconds: seconds, what, mayBeCancelled = false, isSilent = false } = waiting
  const line = isSilent ? null : progressLine(terminal, what)
  const late = seconds === undefined ? undefined : { seconds, failure: () => timedOut(waiting) }
  try {
    const ended = await unlessStopped(terminal, { interrupted: () => interrupted(operationId), late }, (signal) =>
      pollUntilEnded(terminal.clock, server.within(signal), waiting, line, signal),
    )
    line?.end()
    if (ended.state === 'done' || (ended.state === 'cancelled' && mayBeCancelled)) return ended
    throw failureOf(ended, what)
  } catch (error) {
    line?.end()
    throw withHints(error, operationId)
  }
}

/** The server has become unreachable: the operation does not need this program. */
function withHints(error: unknown, operationId: string): unknown {
  if (!(error instanceof Failure) || error.kind !== 'unreachable') return error
  const hints = hintsOf(operationId, ['logs -f'])
  return new Failure('unreachable', `${error.message} The operation goes on.`, { ...error.details, operationId, hints })
}

async function pollUntilEnded(
  clock: Clock,
  server: Server,
  waiting: Waiting,
  line: ProgressLine | null,
  signal: AbortSignal,
) {
  const { operationId } = waiting
  const progress = waiting.progress ?? (() => progressOf(server, operationId))
  for (let seconds = firstPauseSeconds; ; seconds = Math.min(seconds * 1.5, longestPauseSeconds)) {
    const { body } = await server.call('finishedOperations', { query: { ids: [operationId] } })
    const [ended] = body
    if (ended !== undefined) return ended
    const now = line === null ? null : await progress(server)
    if (now !== null) line?.show(now)
    await clock.pause(seconds * 1000, signal)
  }
}

/** @returns null: it has just ended, or is not among the oldest 500 */
async function progressOf(server: Server, operationId: string): Promise<Progress | null> {
  const { body } = await server.call('runningOperations', {})
  const found = body.find((each) => each.operationId === operationId)
  return found === undefined ? null : { step: found.step, fraction: found.progress }
}

function failureOf({ operationId, state, errorText }: FinishedOperation, what: string): Failure {
  const message =
    state === 'cancelled' ? `${what}: the operation was cancelled.` : `${what} failed: ${errorText ?? 'see its log.'}`
  return new Failure('operation-failed', message, { operationId, hints: hintsOf(operationId, ['logs', 'retry']) })
}

function timedOut({ operationId, timeoutSeconds, what }: Waiting): Failure {
  const message = `${what} was not done within ${timeoutSeconds} s. The operation goes on.`
  return new Failure('timed-out', message, { operationId, hints: hintsOf(operationId, ['logs -f', 'cancel']) })
}

function interrupted(operationId: string): Failure {
  const hints = hintsOf(operationId, ['logs -f', 'cancel'])
  return new Failure('interrupted', 'Stopped waiting. The operation goes on.', { operationId, hints })
}

export function hintsOf(operationId: string, commands: readonly string[]): string[] {
  return commands.map((each) => `roomkeeper operations ${each} ${operationId}`)
}

/** Tells how to follow an operation that the command does not wait for. */
export function sayHowToFollow(terminal: Terminal, operationId: string): void {
  for (const hint of hintsOf(operationId, ['logs -f'])) terminal.note(hint, 'dim')
}
