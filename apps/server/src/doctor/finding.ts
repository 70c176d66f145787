/** Findings before they are recorded, and their texts. */
import { type CodedReason, englishReason, type FindingKind, fillIn, findingKinds } from '@roomkeeper/contract'
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

/** `{{name}}` stands for the fact of that name. The console has its own texts, in each of its languages. */
const texts: Readonly<Record<FindingKind, string>> = {
  'region-unreachable': 'The region {{region}} could not be asked: {{reason}} Its project rooms were not looked at.',
  'region-twice': 'The regions {{region}} and {{other}} are the same server: each project room there is seen twice.',
  'room-unknown': 'The region {{region}} has a project room {{room}} that the console does not know.',
  'room-missing': 'The region {{region}} does not have the project room {{room}}.',
  'room-elsewhere': 'The region {{region}} does not have the project room {{room}}, but the region {{other}} has it.',
  'room-twice': 'The region {{region}} has a second copy of the project room {{room}}; the one in use is in {{home}}.',
  'room-damaged': 'The region {{region}} cannot read the project room {{room}}. It says: "{{reason}}".',
  'room-id-differs': 'The project room {{room}} in the region {{region}} is another one of the same name.',
  'product-differs': 'The project room {{room}} is {{expected}} here and {{found}} in the region {{region}}.',
  'state-differs': 'The project room {{room}} is {{expected}} here and {{found}} in the region {{region}}.',
  'settings-differ': 'The project room {{room}} has other values in the region {{region}} than here: {{fields}}.',
  'moved-differs':
    'The project room {{room}} in the region {{region}} holds something else than when it was moved there ({{at}}).',
  'room-stuck': 'The project room {{room}} is {{state}}, but no operation runs for it.',
  'lock-orphaned':
    'The project room {{room}} in the region {{region}} is locked by "{{holder}}", for which nothing runs here.',
  'redirect-misleads': 'The region {{region}} sends the visitors of {{room}} to {{target}}, where it is not.',
  'redirect-without-room':
    'The region {{region}} sends the visitors of {{room}} on, but there is no such project room.',
  'backup-missing': 'The file of a backup of {{room}} from {{at}} is gone: {{location}}.',
  'backup-altered': 'A backup of {{room}} from {{at}} is not what it should be ({{what}}): {{location}}.',
  'store-unreachable': 'Backups could not be looked at: {{reason}}',
  'operation-unclaimed': 'The operation {{operation}} for {{room}} is open, but no worker runs it ({{why}}).',
  'reservation-left-over': 'Capacity in the region {{region}} is reserved for {{room}}, but no operation needs it.',
  'count-differs': '{{what}}: {{kept}} are kept, {{counted}} were counted.',
  'audit-damaged': 'The audit trail is damaged: {{damage}}',
  'time-jumped':
    'The time of the database went from {{from}} to {{to}} between two looks. Until {{until}} nothing is removed for good.',
  'time-ahead': 'The backup policy {{policy}} was scheduled until {{until}}, which lay ahead. It goes on from now.',
}

export function textOfFinding(kind: FindingKind, facts: Facts): string {
  return fillIn(texts[kind], facts)
}
