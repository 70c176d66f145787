import type { AuditEntry } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { nameOfEntry } from './name-of-entry.ts'

export interface ActionGroup {
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
