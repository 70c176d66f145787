import type { AuditEntry } from '@roomkeeper/contract'
import i18next from 'i18next'
import { textOfReasons } from '#ui/coded-text.ts'

/**
 * Names what was done, such as `Database imported`. An operation's entry is written when the operation begins, so until
 * it is known to be done the name says what was attempted: `Database import`. An unknown action is shown as it is.
 */
export function nameOfEntry({ action, operationId, outcome }: Pick<AuditEntry, 'action' | 'operationId' | 'outcome'>) {
  const attempt = operationId === null ? undefined : textAt('attempts', action)
  const wanted = action === 'operation.cancel' ? 'cancelled' : 'done'
  if (attempt !== undefined && outcome?.state !== wanted) return attempt
  return textAt('actions', action) ?? action
}

/** Whether the entry was written when its operation began: only then does its end belong to the entry. */
export function isAttempt({ action, operationId }: Pick<AuditEntry, 'action' | 'operationId'>): boolean {
  return operationId !== null && textAt('attempts', action) !== undefined
}

/** The detail in the operator's language. */
export function detailOf({ detail, detailReasons }: Pick<AuditEntry, 'detail' | 'detailReasons'>): string | null {
  return textOfReasons(detailReasons, detail)
}

/** Not through `t`, for which the dots in the names of actions separate keys. */
function textAt(map: 'actions' | 'attempts', action: string): string | undefined {
  const texts = i18next.getResource(i18next.language, 'audit', map) as Partial<Record<string, string>> | undefined
  return texts?.[action]
}
