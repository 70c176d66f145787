import type { Finding } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format-moment.ts'

/** A finding in the operator's language, and what to do about it. */
export function useFindingText(): (finding: Finding) => { text: string; help: string } {
  const { t } = useTranslation('consistency')
  return ({ kind, facts }) => {
    const at = typeof facts.at === 'string' ? { at: formatMoment(facts.at) } : {}
    return { text: t(`texts.${kind}`, { ...facts, ...at }), help: t(`helps.${kind}`) }
  }
}
