/** The names of entries of the audit trail, in the operator's language. */
import type { AuditEntry } from '@roomkeeper/contract'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { textOfReasons } from '#locales/error-texts.ts'

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

/** The actor; where none was an operator, in words. */
export function nameOfActor(actor: string): string {
  if (actor === 'system') return i18next.t('audit:system')
  return actor === 'unknown' ? i18next.t('audit:unknown') : actor
}

interface ActionGroup {
  /** Such as `room.`; the group has all actions that start with it. */
  prefix: string
  label: string
  actions: { action: string; label: string }[]
}

/** The labels of actions, grouped by what they affect. An unknown action is shown as it is. */
export function useAuditActions(): { groups: ActionGroup[]; nameOf: (entry: AuditEntry) => string } {
  const { t, i18n } = useTranslation('audit')
  const labels = Object.entries(i18n.getResource(i18n.language, 'audit', 'actions') as Record<string, string>)
  const names = Object.entries(i18n.getResource(i18n.language, 'audit', 'groups') as Record<string, string>)
  const groups = names.map(([noun, label]) => ({
    prefix: `${noun}.`,
    label,
    actions: labels
      .filter(([action]) => action.startsWith(`${noun}.`))
      .map(([action, name]) => ({ action, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label, i18n.language)),
  }))
  return {
    groups,
    nameOf(entry) {
      const { action } = entry
      const group = groups.find(({ prefix }) => action.startsWith(prefix))
      const name = nameOfEntry(entry)
      return group === undefined || name === action ? action : t('actionOf', { group: group.label, action: name })
    },
  }
}

/** Not through `t`, for which the dots in the names of actions separate keys. */
function textAt(map: 'actions' | 'attempts', action: string): string | undefined {
  const texts = i18next.getResource(i18next.language, 'audit', map) as Partial<Record<string, string>> | undefined
  return texts?.[action]
}
