import type { Finding } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format-moment.ts'

/** A finding in the operator's language, and what to do about it. */
export function useFindingText(): (finding: Finding) => { text: string; help: string } {
  const { t } = useTranslation('consistency')
  const nameOf = useFieldNames()
  return ({ kind, facts }) => {
    const at = typeof facts.at === 'string' ? { at: formatMoment(facts.at) } : {}
    const fields = typeof facts.fields === 'string' ? { fields: facts.fields.split(', ').map(nameOf).join(', ') } : {}
    return { text: t(`texts.${kind}`, { ...facts, ...at, ...fields }), help: t(`helps.${kind}`) }
  }
}

/** What differs or would change, in words; what has none is shown as it is. */
export function useFieldNames(): (field: string) => string {
  const { t, i18n } = useTranslation('consistency')
  return (field) => (i18n.exists(`consistency:fields.${field}`) ? t(`fields.${field as 'state'}`) : field)
}
