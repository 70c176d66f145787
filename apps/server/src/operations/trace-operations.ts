/**
 * The spans of operations. An operation's record has the `traceparent` of the span that started it, so each attempt,
 * whichever worker makes it, is in that trace.
 */
import type { Reasons } from '@roomkeeper/contract'
import { currentSpan, inSpan, isTracing, startSpan } from '@roomkeeper/tracing'
import type { ClaimedOperation } from './engine/index.ts'

/**
 * What the record of a new operation gets. A parent may start a hundred thousand children, which no trace can hold: a
 * child begins one of its own, with a link to its parent's. So does what nobody has called for.
 */
export function traceparentOfStart(kind: string, { parentId }: { parentId?: string }): string | null {
  if (!isTracing()) return null
  const cause = currentSpan()
  if (cause !== null && parentId === undefined) return cause.traceparent
  const attributes = {
    'roomkeeper.operation.kind': kind,
    ...(parentId && { 'roomkeeper.operation.parent_id': parentId }),
  }
  const span = startSpan(`start ${kind}`, { parent: null, cause: cause?.traceparent ?? null, attributes })
  span?.end()
  return span?.traceparent ?? null
}

/** What the record of an operation gets that is tried again: the new attempt belongs to the call that asked for it. */
export function traceparentOfRetry(before: string | null): string | null {
  return currentSpan()?.traceparent ?? before
}

/** One span for what this process does of one attempt. */
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

export function inStep<End extends Ended>(id: string, undoing: boolean, attempt: () => Promise<End>): Promise<End> {
  return inSpan(`${undoing ? 'undo' : 'step'} ${id}`, { attributes: { 'roomkeeper.step.id': id } }, async () => {
    const end = await attempt()
    traceEnd(end)
    return end
  })
}

/** Tells the current span how that ended of which it is. Codes alone: texts may tell what a region or a store has said. */
export function traceEnd({ state, reasons = [] }: Ended): void {
  const span = currentSpan()
  span?.set({ 'roomkeeper.end': state })
  if (state === 'failed') span?.fail(codesOf(reasons))
}

/** Notes that a step has failed in passing, and is tried again. */
export function traceFailedTry(reasons: Reasons): void {
  currentSpan()?.note('try failed', { 'roomkeeper.reasons': codesOf(reasons) })
}

function codesOf(reasons: Reasons): string {
  return reasons.map(({ code }) => code).join(' ')
}
