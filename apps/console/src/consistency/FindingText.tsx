import { Text } from '@mantine/core'
import type { Finding } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { textOfReason } from '#locales/error-texts.ts'
import { formatMoment } from '#ui/format.ts'

interface FindingTextProps {
  finding: Finding
  /** Whether the name of the project room links to the list, if the console has the room. */
  isLinked?: boolean
}

export function FindingText({ finding, isLinked = false }: FindingTextProps) {
  const { before, room, after } = useFindingText()(finding)
  return (
    <>
      {before}
      {room !== null && (
        <Text component="b" inherit fw={600}>
          {isLinked && finding.isRoomKnown ? (
            <Link to="/project/administration" search={{ q: room, in: 'tenant' }} preload={false}>
              {room}
            </Link>
          ) : (
            room
          )}
        </Text>
      )}
      {after}
    </>
  )
}

/** What to do about a finding; where the regions are named as the place to go to, this links there. */
export function Advice({ finding }: { finding: Finding }) {
  const { t } = useTranslation('consistency')
  const [before, after] = useFindingText()(finding).advice.split(mark)
  if (after === undefined) return before
  return (
    <>
      {before}
      <Link to="." search={(search) => ({ ...search, cloud: 'regions' as const })}>
        {t('regions')}
      </Link>
      {after}
    </>
  )
}

interface FindingTexts {
  text: string
  /** The text before and after the name of the project room. Without such a name, all of the text is `before`. */
  before: string
  room: string | null
  after: string
  /** What to do about it, with the mark in the place of a link. */
  advice: string
}

const moments: ReadonlySet<string> = new Set(['at', 'purged', 'from', 'to', 'until'])
/** A character that no name contains. */
const mark = '\u0000'

/** A finding in the operator's language. */
export function useFindingText(): (finding: Finding) => FindingTexts {
  const { t, i18n } = useTranslation(['consistency', 'errors'])
  // A kind that only another version knows stands for itself.
  const kindOf = (kind: string) =>
    i18n.exists(`consistency:kinds.${kind}`) ? t(`kinds.${kind as 'room.create'}`) : kind
  const nameOf = useFieldNames()
  const texts = useRoomTexts()
  const textsOf = (name: string, fact: string | number): string | number => {
    if (typeof fact === 'number') return fact
    if (moments.has(name)) return formatMoment(fact)
    if (name === 'fields') return fact.split(', ').map(nameOf).join(', ')
    if (name === 'operation') return kindOf(fact)
    if (name === 'why') return isCause(fact) ? t(`causes.${fact}`) : fact
    if (name === 'state' || name === 'expected' || name === 'found') return texts.product(texts.state(fact))
    return fact
  }
  return (finding) => {
    const { facts, reasons } = finding
    const said = Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => {
        const reason = reasons[name]
        return [name, (reason && textOfReason(reason)) ?? textsOf(name, fact)]
      }),
    )
    const key = variantOf(finding)
    const room = facts.room === undefined ? null : String(facts.room)
    const [before = '', after = ''] = textIn(finding, { ...said, room: mark }).split(mark)
    return {
      text: before + (room ?? '') + after,
      before,
      room,
      after,
      advice: t(`advice.${key}`, { ...said, regions: mark }),
    }
  }
}

/** The server's own text where this console does not know the kind. */
function textIn(finding: Finding, params: Record<string, string | number>): string {
  return textOfReason({ code: `finding-${variantOf(finding)}`, params }) ?? finding.text
}

/** Some facts change the text. */
function variantOf({ kind, facts }: Finding) {
  if (kind === 'room-twice' && facts.damaged !== undefined) return 'room-twice-damaged'
  if (kind === 'room-unknown' && facts.purged !== undefined) return 'room-unknown-purged'
  if (kind === 'room-unknown' && facts.former !== undefined) return 'room-unknown-former'
  if (kind === 'room-elsewhere' && facts.unasked !== undefined) return 'room-elsewhere-unasked'
  return kind
}

function isCause(fact: string): fact is 'unclaimed' | 'claimed' | 'line' {
  return ['unclaimed', 'claimed', 'line'].includes(fact)
}

/** The names of fields that differ or would change; a field without a name is shown as it is. */
export function useFieldNames(): (field: string) => string {
  const { t, i18n } = useTranslation('consistency')
  return (field) => (i18n.exists(`consistency:fields.${field}`) ? t(`fields.${field as 'state'}`) : field)
}

/** The names that regions use for a room's state. */
const statesOfRegions: Readonly<Record<string, string>> = { active: 'DEFAULT', suspended: 'SUSPENDED' }

/** @returns functions that format a room's state, and its product with its edition, as the list of rooms does */
export function useRoomTexts() {
  const { t, i18n } = useTranslation('rooms')
  const known = (key: string, otherwise: string) =>
    i18n.exists(`rooms:${key}`) ? t(key as 'states.DEFAULT') : otherwise
  return {
    state: (code: string) => known(`states.${statesOfRegions[code] ?? code}`, code),
    product(codes: string) {
      const [product = '', edition = '', ...more] = codes.split(' ')
      if (more.length > 0 || !i18n.exists(`rooms:editions.${edition}`)) return codes
      return `${known(`products.${product}`, product)} ${known(`editions.${edition}`, edition)}`
    },
  }
}
