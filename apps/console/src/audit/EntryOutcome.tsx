import type { AuditEntry } from '@roomkeeper/contract'
import { FailureText, OutcomePill } from '#operations/index.ts'
import classes from './EntryOutcome.module.css'
import { isAttempt } from './name-of-entry.ts'

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
    <p className={classes.why}>
      <FailureText reasons={errorReasons} text={errorText ?? ''} />
    </p>
  )
}
