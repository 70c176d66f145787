/** Backup policies: which project rooms are backed up by themselves, when, and which of these backups are kept. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenName } from './given-names.ts'
import { roomExportBody } from './room-exports.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { editionCode, productCode } from './wire-codecs.ts'

function wholeNumber(min: number, max: number) {
  const error = coded('must-be-whole-number-between', { min, max })
  return z.int({ error }).min(min, error).max(max, error)
}

const timeOfDay = z.string({ error: coded('time-of-day-invalid') }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  error: coded('time-of-day-invalid'),
})
const window = { at: timeOfDay, windowHours: wholeNumber(1, 24) }

/**
 * Times are in UTC. The rooms spread over the window, each at its own moment of it; with `hours`, over the whole
 * interval. `weekday`: 1 is Monday, 7 Sunday.
 */
export const backupSchedule = z.discriminatedUnion(
  'every',
  [
    z.object({ every: z.literal('hours'), hours: wholeNumber(1, 168) }),
    z.object({ every: z.literal('day'), ...window }),
    z.object({ every: z.literal('week'), weekday: wholeNumber(1, 7), ...window }),
  ],
  { error: coded('schedule-missing') },
)
export type BackupSchedule = z.output<typeof backupSchedule>

/** Kept is the newest backup of each of the last so many days, ISO weeks and months (in UTC) that have one. */
export const backupRetention = z
  .object({ daily: wholeNumber(0, 366), weekly: wholeNumber(0, 260), monthly: wholeNumber(0, 120) })
  .refine(({ daily, weekly, monthly }) => daily + weekly + monthly > 0, {
    error: coded('backups-kept-missing'),
    path: ['daily'],
  })
export type BackupRetention = z.output<typeof backupRetention>

/** The rooms that fulfil all of it; an empty list excludes none. `query` is one of the list of project rooms. */
export const backupPolicyRooms = z.object({
  regions: z.array(z.int()).max(1000).default([]),
  products: z.array(productCode).max(100).default([]),
  editions: z.array(editionCode).max(100).default([]),
  query: roomExportBody.nullable().default(null),
})
export type BackupPolicyRooms = z.output<typeof backupPolicyRooms>

const draft = z.object({
  name: givenName,
  isOn: z.boolean(),
  rooms: backupPolicyRooms,
  kind: z.enum(['classic', 'd2o']),
  schedule: backupSchedule,
  keep: backupRetention,
  /** Every so many backups of a room one is restored in a test; 0: none. */
  verifyEvery: wholeNumber(0, 1000),
})
const { shape } = draft
export const backupPolicyDraft = draft.extend({
  isOn: shape.isOn.default(true),
  rooms: shape.rooms.prefault({}),
  kind: shape.kind.default('classic'),
  verifyEvery: shape.verifyEvery.default(0),
})
export type BackupPolicyDraft = z.output<typeof backupPolicyDraft>

/**
 * Of today and the six days before it (UTC), by when they were due. Missed: the room was busy, or its region had no place
 * for it, all the time in which its backup may begin. A failed one that was retried with success is done.
 */
export const backupPolicyRuns = z.object({
  /** When the last backup has begun; null: none that is known. */
  lastAt: z.iso.datetime().nullable(),
  done: z.int(),
  missed: z.int(),
  failed: z.int(),
})
export type BackupPolicyRuns = z.output<typeof backupPolicyRuns>

export const backupPolicy = draft.extend({
  name: z.string(),
  id: z.uuid(),
  /** Grows with each change. */
  version: z.int(),
  runs: backupPolicyRuns,
})
export type BackupPolicy = z.output<typeof backupPolicy>

/** `version`: the one that the change is based on; another one is stored: 409. Absent: not compared. */
export const backupPolicyChange = ignoring(
  backupPolicyDraft.extend({ version: z.int().nullish() }),
  fieldsOf(backupPolicy),
)

export const backupPolicyPreview = z.object({
  rooms: z.int(),
  /** How many backups each room has when retention is full. */
  backupsPerRoom: z.int(),
  /** Bytes, when retention is full; null: no room has a backup yet to tell by. */
  bytes: z.number().nullable(),
})
export type BackupPolicyPreview = z.output<typeof backupPolicyPreview>

const byId = z.object({ id: z.uuid(coded('backup-policy-id-invalid')) })

export const backupPolicyRoutes = {
  backupPolicies: {
    method: 'GET',
    path: '/api/operator/backupPolicies',
    access: 'admin',
    summary: 'All backup policies, by name, and how their backups of the last seven days have ended.',
    answers: { 200: z.array(backupPolicy) },
  },
  createBackupPolicy: {
    method: 'POST',
    path: '/api/operator/backupPolicies',
    access: 'admin',
    summary: 'Adds a backup policy.',
    body: backupPolicyDraft,
    longBody: true,
    refuses: ['backup-policy-name-taken', 'object-store-not-set', 'invalid-filter'],
    answers: { 200: backupPolicy },
  },
  changeBackupPolicy: {
    method: 'PUT',
    path: '/api/operator/backupPolicies/:id',
    access: 'admin',
    summary: 'Replaces the settings of a backup policy.',
    params: byId,
    body: backupPolicyChange,
    longBody: true,
    refuses: [
      'backup-policy-unknown',
      'backup-policy-stale',
      'backup-policy-name-taken',
      'object-store-not-set',
      'invalid-filter',
    ],
    answers: { 200: backupPolicy },
  },
  deleteBackupPolicy: {
    method: 'DELETE',
    path: '/api/operator/backupPolicies/:id',
    access: 'admin',
    summary: 'Removes a backup policy. Its backups stay, and from then on nothing removes them by itself.',
    params: byId,
    refuses: ['backup-policy-unknown'],
    answers: { 204: true },
  },
  previewBackupPolicy: {
    method: 'POST',
    path: '/api/operator/backupPolicies/preview',
    access: 'admin',
    summary: 'How many project rooms a policy covers, and how much space their backups would take. Changes nothing.',
    body: ignoring(
      backupPolicyDraft.pick({ rooms: true, kind: true, schedule: true, keep: true }),
      fieldsOf(backupPolicy),
    ),
    longBody: true,
    refuses: ['invalid-filter'],
    answers: { 200: backupPolicyPreview },
  },
} as const satisfies Record<string, Route>
