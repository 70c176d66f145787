import { useTranslation } from 'react-i18next'

export interface ActionGroup {
  /** Such as `room.`; the group has all actions that start with it. */
  prefix: string
  label: string
  actions: { action: string; label: string }[]
}

/** The labels of actions, grouped by what they affect. An unknown action is shown as it is. */
export function useAuditActions(): { groups: ActionGroup[]; nameOf: (action: string) => string } {
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
    nameOf(action) {
      const group = groups.find(({ prefix }) => action.startsWith(prefix))
      const known = group?.actions.find((each) => each.action === action)
      return group === undefined || known === undefined
        ? action
        : t('actionOf', { group: group.label, action: known.label })
    },
  }
}
