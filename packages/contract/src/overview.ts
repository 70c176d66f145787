/** The overview: what is wrong now, what was done today, and how full the regions are. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { because } from './reasons.ts'
import { region } from './regions.ts'
import type { Access, Route } from './route.ts'
import { products } from './wire-codes.ts'

/** The kinds of facts, worst first, and the access that a caller needs to see them. */
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

/** What helps at once and can do no harm. `protect`: to make a backup policy. */
export const attentionActs = ['run-doctor', 'protect'] as const
export type AttentionAct = (typeof attentionActs)[number]

/** Rooms without a backup, rooms that expire and e-mails are counted up to this number. */
export const mostCounted = 10_000

export const attentionFact = z.object({
  kind: z.enum(kindNames),
  severity: z.enum(attentionSeverities),
  since: z.iso.datetime(),
  /** Of project rooms, operations, webhooks, e-mails or findings, see `mostCounted`; null: there is nothing to count. */
  count: z.int().nullable(),
  /** In English, for people. */
  text: z.string(),
  /** The parameters of the text, for other languages. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The path of the console's page that shows what this is about; null: there is none. */
  link: z.string().nullable(),
  /** Null: nothing, or the role of the caller does not allow it. */
  act: z.enum(attentionActs).nullable(),
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

/** What became of project rooms. `failed`: operations of any kind. */
export const dayKinds = [
  'created',
  'deleted',
  'moved',
  'edited',
  'suspended',
  'resumed',
  'restored',
  'backed-up',
  'failed',
] as const
export type DayKind = (typeof dayKinds)[number]

/** Clocks change by two hours at most. */
const longestDayHours = 26

function isEndOfDay(day: string, to: string): boolean {
  const hours = (Date.parse(to) - Date.parse(day)) / 3_600_000
  return hours > 0 && hours <= longestDayHours
}

/** The operations that ended on a day, without those of backup policies, of which there may be a million. */
export const dayCounts = z.object({
  /** When the day began. */
  from: z.iso.datetime(),
  counts: z.array(z.object({ kind: z.enum(dayKinds), count: z.int() })),
  /** Its hours, from the first on; `failed` are part of the operations. */
  hours: z.array(z.object({ at: z.iso.datetime(), operations: z.int(), failed: z.int() })),
})
export type DayCounts = z.output<typeof dayCounts>

/** For so many days the trend goes back. */
export const trendDays = 90

export const regionCapacity = z.object({
  region: region.shape.regionId,
  regionName: region.shape.regionName,
  state: region.shape.state,
  health: region.shape.health,
  /** In any state, and moves in flight. */
  rooms: z.int(),
  /** Null: there is none. */
  limit: z.int().nullable(),
  /** How many there were at the end of each of the last 90 days (UTC), as far as it was recorded. */
  trend: z.array(z.object({ day: z.iso.date(), rooms: z.int() })),
  /**
   * The day on which it is full if it goes on as in the trend; null: it does not grow, has no limit or lasts for ten more
   * years, or fewer than 7 days were recorded.
   */
  fullOn: z.iso.date().nullable(),
})
export type RegionCapacity = z.output<typeof regionCapacity>

export const overviewRoutes = {
  attention: {
    method: 'GET',
    path: '/api/operator/overview/attention',
    access: 'all',
    summary: 'What is wrong now, worst first: what the role of the caller may act on.',
    answers: { 200: z.array(attentionFact) },
  },
  today: {
    method: 'GET',
    path: '/api/operator/overview/today',
    access: 'all',
    summary: 'What became of project rooms on a day, and how many operations ended in each of its hours.',
    query: z
      .object({
        /** A day (UTC), or the moment with which a day begins elsewhere. Absent: today (UTC). */
        day: z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: coded('must-be-day') }).optional(),
        /** The moment with which the next day begins, for days on which clocks change. Absent: 24 hours later. */
        to: z.iso.datetime({ offset: true, error: coded('must-be-time') }).optional(),
      })
      .refine(({ day, to }) => to === undefined || (day !== undefined && isEndOfDay(day, to)), {
        path: ['to'],
        message: coded('not-end-of-day', { hours: longestDayHours }),
      }),
    answers: { 200: dayCounts },
  },
  capacity: {
    method: 'GET',
    path: '/api/operator/overview/capacity',
    access: 'all',
    summary:
      'How full each region is, how that has changed, and when it is full. With a product: the regions that serve it.',
    query: z.object({ product: z.enum(products).optional() }),
    answers: { 200: z.array(regionCapacity) },
  },
} as const satisfies Record<string, Route>
