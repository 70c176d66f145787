import type { AuditEntry } from '@roomkeeper/contract'
import { OutcomePill } from '#operations/index.ts'
import { textOfReasons } from '#ui/coded-text.ts'
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
  const text = textOfReasons(outcome.errorReasons, outcome.errorText)
  return text === null ? null : <p className={classes.why}>{text}</p>
}
