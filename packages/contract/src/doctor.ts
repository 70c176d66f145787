/** The doctor: its findings about the console, its regions and its stores, and their repairs. */
import { z } from 'zod'
import { codedReason } from './coded-text.ts'
import { coded } from './field-errors.ts'
import { paged, pageOf, queryFlag } from './lists.ts'
import { accepted } from './operations.ts'
import { searched } from './plain-text.ts'
import type { Route } from './route.ts'
import { type FindingSeverity, findingSeverities } from './wire-codes.ts'

export const repairs = [
  'send-again',
  'adopt',
  'release',
  'mark-missing',
  'remove-copy',
  'end-redirect',
  'recount',
  'trust-time',
  'acknowledge',
] as const
export type Repair = (typeof repairs)[number]

interface KindOfFinding {
  severity: FindingSeverity
  /** The repairs that are safe for this kind. Whether one is possible now is checked when it is requested. */
  repairs: readonly Repair[]
}

export const findingKinds = {
  'region-unreachable': { severity: 'warning', repairs: [] },
  'region-twice': { severity: 'error', repairs: [] },
  'room-unknown': { severity: 'warning', repairs: ['adopt'] },
  'room-missing': { severity: 'error', repairs: ['mark-missing'] },
  'room-elsewhere': { severity: 'error', repairs: ['adopt', 'mark-missing'] },
  'room-twice': { severity: 'error', repairs: ['remove-copy'] },
  'room-damaged': { severity: 'error', repairs: [] },
  'room-id-differs': { severity: 'error', repairs: ['mark-missing'] },
  'product-differs': { severity: 'error', repairs: [] },
  'state-differs': { severity: 'warning', repairs: ['send-again'] },
  'settings-differ': { severity: 'warning', repairs: ['send-again'] },
  'moved-differs': { severity: 'error', repairs: [] },
  'room-stuck': { severity: 'error', repairs: ['release'] },
  'lock-orphaned': { severity: 'warning', repairs: ['release'] },
  'redirect-misleads': { severity: 'warning', repairs: ['send-again', 'end-redirect'] },
  'redirect-without-room': { severity: 'warning', repairs: ['end-redirect'] },
  'backup-missing': { severity: 'error', repairs: ['mark-missing'] },
  'backup-altered': { severity: 'error', repairs: [] },
  'indexes-damaged': { severity: 'warning', repairs: [] },
  'store-unreachable': { severity: 'warning', repairs: [] },
  'operation-unclaimed': { severity: 'error', repairs: [] },
  'reservation-left-over': { severity: 'warning', repairs: ['release'] },
  'count-differs': { severity: 'warning', repairs: ['recount'] },
  'audit-damaged': { severity: 'error', repairs: [] },
  'audit-cut-off': { severity: 'error', repairs: ['acknowledge'] },
  'time-jumped': { severity: 'warning', repairs: ['trust-time'] },
  'time-ahead': { severity: 'warning', repairs: [] },
} as const satisfies Record<string, KindOfFinding>
export type FindingKind = keyof typeof findingKinds
export const findingKindNames = Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]

export const finding = z.object({
  id: z.uuid(),
  kind: z.enum(findingKindNames),
  severity: z.enum(findingSeverities),
  projectRoomName: z.string().nullable(),
  /** Whether the console knows the project room that the text names. */
  isRoomKnown: z.boolean(),
  regionName: z.string().nullable(),
  /** In English, for people. */
  text: z.string(),
  /** The parameters of the text, for other languages. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The facts that are sentences, as codes. */
  reasons: z.record(z.string(), codedReason),
  /** When it was first found. */
  since: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** When a later run or a repair no longer found it. */
  closedAt: z.iso.datetime().nullable(),
  repairs: z.array(z.enum(repairs)),
  /** The operation of the newest repair. */
  operationId: z.uuid().nullable(),
})
export type Finding = z.output<typeof finding>

export const doctorRun = z.object({
  operationId: z.uuid().nullable(),
  startedBy: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** How many project rooms were checked: the distinct names in the console and on all regions. */
  rooms: z.int(),
})
export type DoctorRun = z.output<typeof doctorRun>

/** `reason`: why the repair is not possible now, in English; null when it is possible. `reasons` says the same in codes. */
export const repairPreview = z.object({
  reason: z.string().nullable(),
  reasons: z.array(codedReason),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
})
export type RepairPreview = z.output<typeof repairPreview>

const byId = z.object({ id: z.uuid(coded('finding-id-invalid')) })

export const doctorRoutes = {
  doctorFindings: {
    method: 'GET',
    path: '/api/operator/doctor/findings',
    access: 'admin',
    summary: 'What does not agree: errors first, then the oldest first. `closed=1`: what is gone, newest first.',
    query: z.object({
      ...paged(),
      closed: queryFlag,
      /** Part of a project room's or a region's name. */
      search: searched.trim().max(64).default(''),
      severity: z.enum(['', ...findingSeverities]).default(''),
    }),
    /** `lastRun` null: before the first run. */
    answers: { 200: pageOf(finding).extend({ lastRun: doctorRun.nullable() }) },
  },
  runDoctor: {
    method: 'POST',
    path: '/api/operator/doctor/run',
    access: 'admin',
    startsOperation: true,
    summary: 'Looks at everything now.',
    refuses: ['doctor-running'],
    answers: { 202: accepted },
  },
  repairFinding: {
    method: 'POST',
    path: '/api/operator/doctor/findings/:id/repair',
    access: 'admin',
    startsOperation: true,
    summary: 'Repairs a finding; with `preview` says what that would change, and changes nothing.',
    params: byId,
    body: z.object({
      repair: z.enum(repairs, coded('repair-not-chosen')),
      preview: z.boolean().default(false),
    }),
    refuses: ['finding-unknown', 'repair-impossible', 'room-busy'],
    answers: { 200: repairPreview, 202: accepted },
  },
} as const satisfies Record<string, Route>
