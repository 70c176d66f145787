/** Bulks: one action for many project rooms, as one operation whose parts stand on their own. */
import { z } from 'zod'
import { reasonList } from './coded-text.ts'
import { csvForm } from './csv-form.ts'
import { failureCauses } from './failure-causes.ts'
import { coded, codedAs } from './field-errors.ts'
import { labelList } from './labels.ts'
import { paged, pageOf, queryFlag } from './lists.ts'
import { asLine, asLines, searched } from './plain-text.ts'
import { roomExportBody } from './room-exports.ts'
import { wireDate } from './room-fields.ts'
import { pinnedNote } from './room-notes.ts'
import type { Route } from './route.ts'
import { csvByTicket, downloadLink, refusalsOfExports, refusalsOfTickets } from './tickets.ts'
import { processTypeCode } from './wire-codecs.ts'
import { type BulkAction, type BulkItemState, bulkActions, bulkItemStates } from './wire-codes.ts'

/** WAITING: no worker has begun it yet. PARTIALLY_DONE: some rooms are done, others failed or were skipped. */
export const bulkStates = ['WAITING', 'RUNNING', 'DONE', 'PARTIALLY_DONE', 'FAILED', 'CANCELLED'] as const
export type BulkState = (typeof bulkStates)[number]

/** As many as a bulk takes. */
export const roomsAtMost = 100_000
const roomName = z.string().max(64)
const names = z.array(roomName).max(roomsAtMost)

/** What is wrong with the form of selection that was given. */
function selectionError({
  input,
  errors,
}: {
  input?: unknown
  errors: readonly (readonly z.core.$ZodIssue[])[]
}): string {
  const given = Object.keys((input ?? {}) as object)
  const [inRooms, inQuery] = errors
  const [first] = (given.includes('query') ? inQuery : given.includes('rooms') ? inRooms : null) ?? []
  return first === undefined ? coded('no-rooms-selected') : codedAs(first)
}

/** The named rooms, or all that match a query of the list except the named ones. */
export const bulkSelection = z.union(
  [
    z.strictObject({ rooms: names.min(1, coded('no-rooms-selected')) }),
    z.strictObject({ query: roomExportBody, except: names.default([]) }),
  ],
  { error: selectionError },
)
export type BulkSelection = z.output<typeof bulkSelection>

const longestMail = 10_000
const mailText = z
  .string({ error: coded('mail-text-missing') })
  .overwrite(asLines)
  .trim()
  .min(1, coded('mail-text-missing'))
  .max(longestMail, coded('at-most-characters', { max: longestMail }))
const mailSubject = z
  .string()
  .overwrite(asLine)
  .trim()
  .max(200, coded('at-most-characters', { max: 200 }))
  .default('')

/** What each action needs besides the rooms. */
export const bulkParameters = {
  suspend: z.object({ userNotification: z.boolean().default(true) }),
  resume: z.object({ userNotification: z.boolean().default(true) }),
  /**
   * Starts again what failed last in project rooms in error. `cause`: only for that one. `whenRegionIsBack`: only because
   * a region did not answer, and not before it has answered for a minute.
   */
  retry: z.object({ cause: z.enum(failureCauses).optional(), whenRegionIsBack: z.boolean().default(false) }),
  /** `withoutBackup`: also deletes the rooms whose last backup cannot be taken. */
  delete: z.object({ withoutBackup: z.boolean().default(false) }),
  backup: z.object({}),
  /** `skipActiveSessions`: rooms in use are moved too. */
  move: z.object({
    targetRegion: z.int({ error: coded('region-not-selected') }).min(1, coded('region-not-selected')),
    skipActiveSessions: z.boolean().default(false),
  }),
  /**
   * The new last day. Rooms that are valid for longer already stay as they are. `unlimitedToo`: rooms without a last day get
   * this one.
   */
  extend: z.object({ expirationDate: wireDate, unlimitedToo: z.boolean().default(true) }),
  updateSystemDatabase: z.object({}),
  /** Without a subject the e-mail has the usual one. */
  notify: z.object({ subject: mailSubject, text: mailText }),
  /** A label that is in both is added. */
  label: z
    .object({ add: labelList.default([]), remove: labelList.default([]) })
    .refine(({ add, remove }) => add.length + remove.length > 0, { error: coded('label-missing'), path: ['add'] }),
} as const satisfies Record<BulkAction, z.ZodObject>
export type BulkParameters<Action extends BulkAction = BulkAction> = z.output<(typeof bulkParameters)[Action]>

function request<More extends z.ZodRawShape>(more: More) {
  const ofAction = <Action extends BulkAction, Parameters extends z.ZodType>(action: Action, parameters: Parameters) =>
    z.object({ action: z.literal(action), selection: bulkSelection, parameters, ...more })
  return z.discriminatedUnion(
    'action',
    [
      ofAction('suspend', bulkParameters.suspend.prefault({})),
      ofAction('resume', bulkParameters.resume.prefault({})),
      ofAction('retry', bulkParameters.retry.prefault({})),
      ofAction('delete', bulkParameters.delete.prefault({})),
      ofAction('backup', bulkParameters.backup.prefault({})),
      ofAction('move', bulkParameters.move),
      ofAction('extend', bulkParameters.extend),
      ofAction('updateSystemDatabase', bulkParameters.updateSystemDatabase.prefault({})),
      ofAction('notify', bulkParameters.notify),
      ofAction('label', bulkParameters.label),
    ],
    { error: coded('bulk-action-unknown') },
  )
}

export const bulkRequest = request({})
export type BulkRequest = z.output<typeof bulkRequest>

/**
 * `expectedTotal` and `selectionDigest`: those of the preflight that the operator has seen. Without the digest only the
 * total is compared.
 */
export const bulkStart = request({ expectedTotal: z.int().min(0), selectionDigest: z.string().max(64).optional() })
export type BulkStart = z.output<typeof bulkStart>

export const bulkPreflight = z.object({
  total: z.int(),
  possible: z.int(),
  /** The rooms for which the action is not possible, by the reason; the most frequent first. */
  impossible: z.array(
    z.object({
      reason: z.string(),
      reasons: reasonList,
      count: z.int(),
      examples: z.array(z.string()),
    }),
  ),
  /** For a retry: the operations that it continues, by process, the most frequent first. */
  retries: z.array(z.object({ processType: processTypeCode, count: z.int() })),
  /** From what such operations took lately; null: none has run yet. */
  estimatedSeconds: z.number().nullable(),
  /** How many e-mails go out to owners and delegates, as the parameters say. */
  mails: z.int(),
  /** Which project rooms they are, for the start; null: none, or too many for a bulk. */
  selectionDigest: z.string().nullable(),
  /** How many of the project rooms have pinned notes. */
  withPinnedNotes: z.int(),
  /** The pinned notes of the first of these by name, the newest of each first; 20 at most. */
  pinnedNotes: z.array(pinnedNote.extend({ projectRoomName: z.string() })),
})
export type BulkPreflight = z.output<typeof bulkPreflight>

const itemCounts = z.object(
  Object.fromEntries(bulkItemStates.map((state) => [state, z.int()])) as Record<BulkItemState, z.ZodInt>,
)

export const bulk = z.object({
  id: z.uuid(),
  action: z.enum(bulkActions),
  state: z.enum(bulkStates),
  /** What the action was started with. The text of an e-mail is part of it. */
  parameters: z.record(z.string(), z.unknown()),
  total: z.int(),
  /** The access that stopping and retrying it needs: that of its action for all of its project rooms. */
  access: z.enum(['edit', 'admin']),
  /** One of its project rooms; null: none was found yet. */
  exampleRoom: z.string().nullable(),
  counts: itemCounts,
  startedBy: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** How many rooms ended per second, over the last minute; null: none did. */
  roomsPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** The names of regions that do not answer: no further room begins there until they do. */
  waitsFor: z.array(z.string()),
  /** It has been cancelled, and what is under way ends. */
  isCancelling: z.boolean(),
  /** Whether the failed rooms can be tried again. */
  canRetry: z.boolean(),
})
export type Bulk = z.output<typeof bulk>

export const bulkItem = z.object({
  projectRoomName: z.string(),
  state: z.enum(bulkItemStates),
  /** Why it failed, was skipped or has to wait; null: there is no reason. */
  reason: z.string().nullable(),
  reasons: reasonList,
  operationId: z.uuid().nullable(),
})
export type BulkItem = z.output<typeof bulkItem>

const byId = z.object({ id: z.uuid(coded('bulk-id-invalid')) })
const itemState = z.enum(['', ...bulkItemStates])
/** A part of the name. */
const partOfName = searched.trim().max(200).default('')
const anyState = z.codec(z.string().meta({ enum: bulkItemStates }), itemState, {
  decode: (text) => text.toUpperCase() as BulkItemState,
  encode: (state) => state,
})

export const bulkRoutes = {
  preflightBulk: {
    method: 'POST',
    path: '/api/operator/bulk/preflight',
    access: 'edit',
    summary: 'For which of the selected project rooms an action is possible. Changes nothing.',
    body: bulkRequest,
    longBody: true,
    refuses: ['invalid-filter', 'region-unknown'],
    answers: { 200: bulkPreflight },
  },
  startBulk: {
    method: 'POST',
    path: '/api/operator/bulk',
    access: 'edit',
    startsOperation: true,
    summary: 'Starts an action for all selected project rooms; who may take the action may start it.',
    body: bulkStart,
    longBody: true,
    refuses: ['invalid-filter', 'selection-changed', 'region-unknown', 'too-many-bulks'],
    answers: { 202: z.object({ operationId: z.uuid(), total: z.int() }) },
  },
  bulks: {
    method: 'GET',
    path: '/api/operator/bulk',
    access: 'all',
    summary: 'The bulks of the last 90 days, newest first.',
    query: z.object({ action: z.enum(bulkActions).optional(), ...paged() }),
    answers: { 200: pageOf(bulk) },
  },
  bulk: {
    method: 'GET',
    path: '/api/operator/bulk/:id',
    access: 'all',
    summary: 'How far a bulk is.',
    params: byId,
    refuses: ['bulk-unknown'],
    answers: { 200: bulk },
  },
  bulkItems: {
    method: 'GET',
    path: '/api/operator/bulk/:id/items',
    access: 'all',
    summary: 'The project rooms of a bulk, the failed ones first; with download=1 all that match, as CSV.',
    params: byId,
    query: z.object({
      state: anyState.default(''),
      search: partOfName,
      ...paged(),
      download: queryFlag,
      csv: csvForm,
    }),
    refuses: ['bulk-unknown', ...refusalsOfExports],
    answers: { 200: pageOf(bulkItem) },
    download: 'text/csv; charset=utf-8',
  },
  createBulkItemsTicket: {
    method: 'POST',
    path: '/api/operator/bulk/items/ticket',
    access: 'all',
    summary: 'A link with which a browser downloads the project rooms of a bulk as CSV: for one minute, once.',
    body: z.object({ ...byId.shape, state: itemState.default(''), search: partOfName, csv: csvForm }),
    refuses: ['bulk-unknown', ...refusalsOfExports],
    answers: { 200: downloadLink },
  },
  downloadBulkItems: {
    ...csvByTicket,
    path: '/api/operator/bulk/items/download/:ticket',
    refuses: [...refusalsOfTickets, 'bulk-unknown', ...refusalsOfExports],
  },
  cancelBulk: {
    method: 'POST',
    path: '/api/operator/bulk/:id/cancel',
    access: 'edit',
    summary: 'Begins no further project room of a bulk; those under way end.',
    params: byId,
    refuses: ['bulk-unknown', 'bulk-ended', 'operation-ended'],
    answers: { 202: z.object({ operationId: z.uuid() }) },
  },
  retryBulk: {
    method: 'POST',
    path: '/api/operator/bulk/:id/retry',
    access: 'edit',
    summary: 'Takes the action once more for the project rooms for which it failed.',
    params: byId,
    refuses: ['bulk-unknown', 'bulk-not-retryable', 'operation-not-retryable', 'update-running'],
    answers: { 202: z.object({ operationId: z.uuid() }) },
  },
} as const satisfies Record<string, Route>
