/** Activity: the audit trail as people read it, and how what was done is undone. */
import { z } from 'zod'
import { auditActions, auditEntry } from './audit.ts'
import { coded } from './field-errors.ts'
import { commaJoined, paged, pageOf, queryInt } from './lists.ts'
import { accepted } from './operations.ts'
import { searched } from './plain-text.ts'
import { projectRoom } from './rooms.ts'
import type { Route } from './route.ts'

/**
 * Each entry is in one of these: who has signed in, or was refused; what the product did by itself; and all else, which
 * operators did.
 */
export const activityGroups = ['changes', 'sign-ins', 'system'] as const
export type ActivityGroup = (typeof activityGroups)[number]

/** What can be undone: an edit is set back, a suspended room resumed, a resumed one suspended. */
export const undoActions = ['edit', 'resume', 'suspend'] as const

export const activityEntry = auditEntry.extend({
  /** What undoing it would do now; null: it cannot be undone (any more), or not by who asks. */
  undo: z
    .object({
      action: z.enum(undoActions),
      /** What it would change from what to what: all that the entry did, except a first new SAP contract number. */
      changes: auditEntry.shape.changes,
    })
    .nullable(),
})
export type ActivityEntry = z.output<typeof activityEntry>

const activityPage = z.object({
  data: z.array(activityEntry),
  /** The `after` of the next page; null: this is the last one. */
  next: z.int().nullable(),
})
export type ActivityPage = z.output<typeof activityPage>

const text = (max: number) => searched.trim().max(max).default('')
const largestEntry = 999_999_999_999_999

/** An empty text or list does not filter. Upper and lower case are the same. */
export const activityQuery = z.object({
  /** A name: of the project room that has it now, or else of the deleted ones that had it. */
  room: text(64),
  /** The company of project rooms, as it is now, in any of its merged spellings. */
  customer: text(255),
  /** An operator's e-mail address, also for what their API tokens did. */
  actor: text(320),
  /** Groups, and actions of the audit trail. */
  kinds: commaJoined.pipe(z.array(z.enum([...activityGroups, ...auditActions])).max(100)).default([]),
  from: z.iso.datetime({ offset: true, error: coded('must-be-time') }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true, error: coded('must-be-time') }).optional(),
  /** The id of an entry: what is older. 0: from the newest on. */
  after: queryInt({ min: 0, max: largestEntry, default: 0 }),
  size: queryInt({ min: 1, max: 100, default: 50 }),
})
export type ActivityQuery = z.output<typeof activityQuery>

export const activityRoutes = {
  activity: {
    method: 'GET',
    path: '/api/operator/activity',
    access: 'all',
    summary:
      'Who did what, newest first. Administrators are told all that the audit trail has, others what was done with project rooms.',
    query: activityQuery,
    answers: { 200: activityPage },
  },
  undoActivity: {
    method: 'POST',
    path: '/api/operator/activity/:id/undo',
    access: 'edit',
    startsOperation: true,
    summary:
      'Undoes an edit, a suspension or a resumption, as a change of its own; 202 when the region takes longer than REGION_WAIT_SECONDS (25).',
    params: z.object({ id: queryInt({ min: 1, max: largestEntry, default: 0 }) }),
    refuses: [
      'activity-unknown',
      'not-undoable',
      'changed-meanwhile',
      'administrators-only',
      'room-unknown',
      'room-busy',
      'wrong-state',
      'sap-number-taken',
      'region-refused',
      'operation-ended',
    ],
    answers: { 200: projectRoom, 202: accepted },
  },
  roomHistory: {
    method: 'GET',
    path: '/api/operator/room/history',
    access: 'all',
    summary: 'What was done with a project room, newest first.',
    query: z.object({ projectRoom: z.string().max(64), ...paged() }),
    refuses: ['room-unknown'],
    answers: { 200: pageOf(activityEntry) },
  },
} as const satisfies Record<string, Route>
