/**
 * The spans of operations. An operation's record has the `traceparent` of the span that started it, so each attempt,
 * whichever worker makes it, is in that trace.
 */
import type { Reasons } from '@roomkeeper/contract'
import { currentSpan, inSpan, isTracing, type SpanParts, startSpan } from '@roomkeeper/tracing'
import { afterCommit, type Tx } from '#platform/database.ts'
import type { ClaimedOperation } from './engine/index.ts'
import { HandedOver, type Overtaken } from './failures.ts'
import { isOperationLost } from './runner.ts'

/**
 * The `traceparent` of a new operation. No trace can hold the hundred thousand children that a parent may start, so a
 * child begins its own trace, with a link to its parent's. An operation that no call started begins its own trace, too.
 */
export function traceparentOfStart(tx: Tx, kind: string, { parentId }: { parentId?: string }): string | null {
  if (!isTracing()) return null
  const cause = currentSpan()
  if (cause !== null && parentId === undefined) return cause.traceparent
  const attributes = {
    'roomkeeper.operation.kind': kind,
    ...(parentId && { 'roomkeeper.operation.parent_id': parentId }),
  }
  return beginning(tx, `start ${kind}`, { parent: null, cause: cause?.traceparent ?? null, attributes })
}

/**
 * The `traceparent` of a retried operation: the new attempt is in the trace of the call that asked for it, with a link
 * to the former attempt.
 */
export function traceparentOfRetry(tx: Tx, kind: string, before: string | null): string | null {
  if (currentSpan() === null) return before
  return beginning(tx, `retry ${kind}`, { cause: before, attributes: { 'roomkeeper.operation.kind': kind } })
}

/** Starts a short span, and ends it after the commit: a transaction that is rolled back sends no span. */
function beginning(tx: Tx, name: string, parts: SpanParts): string | null {
  const span = startSpan(name, parts)
  if (span !== null) afterCommit(tx, () => span.end())
  return span?.traceparent ?? null
}

/** Runs this process's part of an attempt in a span. */
export function inAttempt<T>(claimed: ClaimedOperation, run: () => Promise<T>): Promise<T> {
  const { id, kind, roomName, regionId, attempt, fence, traceparent } = claimed
  const attributes = {
    'roomkeeper.operation.id': id,
    'roomkeeper.operation.kind': kind,
    'roomkeeper.operation.attempt': attempt,
    'roomkeeper.operation.fence': fence,
    'roomkeeper.room.name': roomName,
    ...(regionId === null ? {} : { 'roomkeeper.region.id': regionId }),
  }
  return inSpan(`operation ${kind}`, { parent: traceparent, attributes }, run)
}

/** How a step, its undo or an operation has ended. */
interface Ended {
  state: 'done' | 'failed' | 'cancelled'
  reasons?: Reasons
}

export async function inStep<End extends Ended>(
  id: string,
  undoing: boolean,
  attempt: () => Promise<End>,
): Promise<End> {
  const parts = { attributes: { 'roomkeeper.step.id': id } }
  const outcome = await inSpan(`${undoing ? 'undo' : 'step'} ${id}`, parts, async () => {
    try {
      const end = await attempt()
      traceEnd(end)
      return { end }
    } catch (error) {
      // Another worker goes on with it: nothing has failed.
      if (!isOperationLost(error)) throw error
      traceLoss(error)
      return { error }
    }
  })
  if ('end' in outcome) return outcome.end
  throw outcome.error
}

/** Tells the current span that its operation is no longer this worker's. */
export function traceLoss(error: HandedOver | Overtaken): void {
  currentSpan()?.set({ 'roomkeeper.end': error instanceof HandedOver ? 'handed-over' : 'overtaken' })
}

/** Sets the outcome of the current span. Codes only: texts may contain what a region or a store has said. */
export function traceEnd({ state, reasons = [] }: Ended): void {
  const span = currentSpan()
  span?.set({ 'roomkeeper.end': state })
  if (state === 'failed') span?.fail(codesOf(reasons))
}

/** Notes in the current span that a try has failed and that the step is tried again. */
export function traceFailedTry(reasons: Reasons): void {
  currentSpan()?.note('try failed', { 'roomkeeper.reasons': codesOf(reasons) })
}

function codesOf(reasons: Reasons): string {
  return reasons.map(({ code }) => code).join(' ')
}
