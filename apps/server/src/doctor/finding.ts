/** Findings before they are recorded, and their texts. */
import {
  type CodedReason,
  englishReason,
  type FindingKind,
  fillIn,
  findingKinds,
  reasonTexts,
} from '@roomkeeper/contract'
import { cleanText } from '@roomkeeper/region-protocol'

/** The parts of a run, in order. */
export const sections = ['regions', 'rooms', 'redirects', 'backups', 'operations', 'counts', 'audit', 'time'] as const
export type Section = (typeof sections)[number]

export interface NewFinding {
  kind: FindingKind
  section: Section
  room?: { id: string | null; name: string }
  /** The region in which the finding was made. */
  regionId?: number
  /** Other regions that must answer before the finding can be closed. */
  alsoIn?: readonly number[]
  /** The id of a subject other than a room: a backup, an operation. */
  subject?: string
  facts: Facts
  /** Further facts, which are sentences. */
  reasons?: Reasons
}

/** Names and numbers for the text, never a secret. */
export type Facts = Record<string, string | number>
/** By the name of the fact that each stands for in the text. */
export type Reasons = Record<string, CodedReason>

/** A reason in English, as it is stored among the facts. */
export function factOf(reason: CodedReason): string {
  return cleanText(englishReason(reason))
}

/** The same finding has the same key in every run. */
export function keyOf({ kind, room, regionId, subject }: NewFinding): string {
  return [kind, room?.id ?? '', room?.name ?? '', regionId ?? '', subject ?? ''].join(' ')
}

export function severityOf({ kind, facts }: NewFinding) {
  // A disabled region may be switched off on purpose.
  if (kind === 'region-unreachable' && facts.state === 'disabled') return 'info'
  return findingKinds[kind].severity
}

/** The English text of a finding. The console has its own texts, in each of its languages. */
export function textOfFinding(kind: FindingKind, facts: Facts): string {
  const isFormer = kind === 'room-unknown' && facts.former !== undefined
  const code = isFormer ? ('finding-room-unknown-former' as const) : (`finding-${kind}` as const)
  return fillIn(reasonTexts[code], facts)
}

/** What was found, as a part of another text. */
export function reasonOfFinding({ kind, facts, reasons }: Pick<NewFinding, 'kind' | 'facts' | 'reasons'>): CodedReason {
  return { code: `finding-${kind}`, params: { ...facts, ...reasons } }
}
