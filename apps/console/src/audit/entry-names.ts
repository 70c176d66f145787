/** The names of entries of the audit trail, in the operator's language. */
import { type AuditEntry, fillInValues } from '@roomkeeper/contract'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { textOfReasons } from '#locales/error-texts.ts'

/**
 * Names what was done, such as `Database imported`. An operation's entry is written when the operation begins, so until
 * it is known to be done the name says what was attempted: `Database import`. An unknown action is shown as it is.
 */
export function nameOfEntry({ action, operationId, outcome }: Pick<AuditEntry, 'action' | 'operationId' | 'outcome'>) {
  return attemptOf({ action, operationId, outcome }) ?? textAt('audit', 'actions', action) ?? action
}

/** Undefined: it was done, not only attempted. */
function attemptOf({ action, operationId, outcome }: Pick<AuditEntry, 'action' | 'operationId' | 'outcome'>) {
  const attempt = operationId === null ? undefined : textAt('audit', 'attempts', action)
  const wanted = action === 'operation.cancel' ? 'cancelled' : 'done'
  return outcome?.state === wanted ? undefined : attempt
}

/** Stands for the name of the room in a sentence. */
export const roomInSentence = '\u0000'

/** What was done, as a sentence. @param who null: the operator who reads it */
export function sentenceOf(entry: Named, who: string | null): string {
  const { action, detail, detailReasons } = entry
  const room = entry.room === null ? '' : roomInSentence
  const attempt = attemptOf(entry)
  if (attempt !== undefined) {
    return i18next.t('activity:attempt', { who: who ?? i18next.t('activity:youAlone'), attempt, room }).trim()
  }
  const name = detailReasons.length === 0 ? (detail ?? '') : ''
  const did = fillInValues(textAt('activity', 'did', action) ?? `${action} {{room}}`, { room, name }).trim()
  return who === null ? i18next.t('activity:you', { did }) : i18next.t('activity:other', { who, did })
}

type Named = Pick<AuditEntry, 'action' | 'operationId' | 'outcome' | 'room' | 'detail' | 'detailReasons'>

/** What of the detail the sentence does not say. */
export function detailBeside(entry: Named): string | null {
  const isSaid = entry.detailReasons.length === 0 && textAt('activity', 'did', entry.action)?.includes('{{name}}')
  return isSaid === true && attemptOf(entry) === undefined ? null : detailOf(entry)
}

/** Whether the entry was written when its operation began: only then does its end belong to the entry. */
export function isAttempt({ action, operationId }: Pick<AuditEntry, 'action' | 'operationId'>): boolean {
  return operationId !== null && textAt('audit', 'attempts', action) !== undefined
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
function textAt(namespace: 'audit' | 'activity', map: 'actions' | 'attempts' | 'did', action: string) {
  const texts = i18next.getResource(i18next.language, namespace, map) as Partial<Record<string, string>> | undefined
  return texts?.[action]
}
