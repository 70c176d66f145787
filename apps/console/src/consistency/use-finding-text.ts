import type { Finding } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format.ts'
import { useReasons } from './use-reasons.ts'
import { useRoomWords } from './use-room-words.ts'

interface FindingText {
  text: string
  /** The text before and behind the name of the project room; one without such a name is all before it. */
  before: string
  room: string | null
  behind: string
  /** What to do about it. */
  help: string
}

/** In no name. */
const mark = '\u0000'

/** A finding in the operator's language. */
export function useFindingText(): (finding: Finding) => FindingText {
  const { t } = useTranslation('consistency')
  const nameOf = useFieldNames()
  const reasonOf = useReasons()
  const words = useRoomWords()
  const wordsOf = (name: string, fact: string | number): string | number => {
    if (typeof fact === 'number') return fact
    if (name === 'at') return formatMoment(fact)
    if (name === 'fields') return fact.split(', ').map(nameOf).join(', ')
    if (name === 'why') return isWhy(fact) ? t(`whys.${fact}`) : fact
    if (name === 'state' || name === 'expected' || name === 'found') return words.product(words.state(fact))
    return name === 'what' || name === 'reason' ? reasonOf(fact) : fact
  }
  return (finding) => {
    const { facts } = finding
    const said = Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, wordsOf(name, fact)]))
    const key = variantOf(finding)
    const room = facts.room === undefined ? null : String(facts.room)
    const [before = '', behind = ''] = t(`texts.${key}`, { ...said, room: mark }).split(mark)
    return { text: before + (room ?? '') + behind, before, room, behind, help: t(`helps.${key}`, said) }
  }
}

/** Some facts make it another matter. */
function variantOf({ kind, facts }: Finding) {
  if (kind === 'room-twice' && facts.damaged !== undefined) return 'room-twice-damaged'
  if (kind === 'room-elsewhere' && facts.unasked !== undefined) return 'room-elsewhere-unasked'
  return kind
}

function isWhy(fact: string): fact is 'unclaimed' | 'claimed' | 'line' {
  return ['unclaimed', 'claimed', 'line'].includes(fact)
}

/** What differs or would change, in words; what has none is shown as it is. */
export function useFieldNames(): (field: string) => string {
  const { t, i18n } = useTranslation('consistency')
  const reasonOf = useReasons()
  return (field) => (i18n.exists(`consistency:fields.${field}`) ? t(`fields.${field as 'state'}`) : reasonOf(field))
}
