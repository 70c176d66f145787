/** The overview: what is wrong now. */
import { z } from 'zod'
import { because } from './reasons.ts'
import type { Access, Route } from './route.ts'

/** What may need attention, and who may act on it: only they are told. */
export const attentionKinds = {
  'region-down': 'all',
  'operations-waiting': 'all',
  'no-worker': 'admin',
  'store-missing': 'admin',
  'clock-off': 'admin',
  'audit-damaged': 'admin',
  'rooms-failed': 'all',
  'rooms-without-backup': 'all',
  'rooms-expiring': 'all',
  'webhooks-failing': 'admin',
  'mails-not-delivered': 'admin',
  findings: 'admin',
} as const satisfies Record<string, Access>
export type AttentionKind = keyof typeof attentionKinds
const kindNames = Object.keys(attentionKinds) as [AttentionKind, ...AttentionKind[]]

/** `error`: something does not work. `warning`: something will go wrong, or has gone wrong for a few. */
export const attentionSeverities = ['error', 'warning'] as const

/** Rooms without a backup, rooms that expire and e-mails are counted up to this number. */
export const mostCounted = 10_000

export const attentionFact = z.object({
  kind: z.enum(kindNames),
  severity: z.enum(attentionSeverities),
  since: z.iso.datetime(),
  /** Of project rooms, operations, webhooks, e-mails or findings, at most 10,000; null: there is nothing to count. */
  count: z.int().nullable(),
  /** In English, for people. */
  text: z.string(),
  /** The parameters of the text, for other languages. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The path of the console's page that shows what this is about; null: there is none. */
  link: z.string().nullable(),
})
export type AttentionFact = z.output<typeof attentionFact>

/** What a fact says, as a code: its text, here and in the console, follows from it. */
export function attentionReason({ kind, count, params: given }: Pick<AttentionFact, 'kind' | 'count' | 'params'>) {
  const { region = '', process = '', seconds = 0 } = given
  switch (kind) {
    case 'region-down':
      return because(given.health === 'refuses-login' ? 'attention-region-refuses-login' : 'attention-region-down', {
        region,
      })
    case 'operations-waiting':
      return because('attention-operations-waiting', { region, count: count ?? 0 })
    case 'store-missing':
      return because('attention-store-missing', { process })
    case 'clock-off':
      return because('attention-clock-off', { process, seconds })
    case 'no-worker':
    case 'audit-damaged':
      return because(`attention-${kind}`)
    default: {
      // `more` is 1 where counting ended.
      const counted = { count: count ?? 0, more: count === mostCounted ? 1 : 0 }
      return because(`attention-${kind}`, counted)
    }
  }
}

export const overviewRoutes = {
  attention: {
    method: 'GET',
    path: '/api/operator/overview/attention',
    access: 'all',
    summary: 'What is wrong now, worst first: what the role of the caller may act on.',
    answers: { 200: z.array(attentionFact) },
  },
} as const satisfies Record<string, Route>
