import type { AuditEntry } from '@roomkeeper/contract'
import { FailureText, OutcomePill } from '#operations/index.ts'
import { isAttempt } from './entry-names.ts'

/** How the operation of an entry ended. */
export function EntryOutcome({ entry }: { entry: AuditEntry }) {
  return entry.outcome !== null && isAttempt(entry) ? <OutcomePill state={entry.outcome.state} /> : null
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
