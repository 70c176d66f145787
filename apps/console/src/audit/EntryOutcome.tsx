import type { AuditEntry, OperationState } from '@roomkeeper/contract'
import { FailureText, OutcomePill } from '#operations/index.ts'
import { isAttempt } from './entry-names.ts'

/** How what was done ended. Nothing: it is not known (any more). */
export function EntryOutcome({ entry }: { entry: AuditEntry }) {
  const state = outcomeOf(entry)
  return state === null ? null : <OutcomePill state={state} />
}

/** What has no operation was done, or refused, at once; what an operation records at its end was done. */
function outcomeOf(entry: AuditEntry): OperationState | null {
  if (isAttempt(entry)) return entry.outcome?.state ?? null
  return /-failed$|\.refused$/.test(entry.action) ? 'failed' : 'done'
}

/** Why the operation of an entry failed. */
export function WhyFailed({ entry }: { entry: AuditEntry }) {
  const { outcome } = entry
  if (outcome?.state !== 'failed' || !isAttempt(entry)) return null
  const { errorReasons, errorText } = outcome
  if (errorReasons.length === 0 && errorText === null) return null
  return (
    <p className="rk-problem">
      <FailureText reasons={errorReasons} text={errorText ?? ''} />
    </p>
  )
}
