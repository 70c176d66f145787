/** Live migrations: configurations, their runs, and what became of each room. */
import { z } from 'zod'
import { reasonList } from './coded-text.ts'
import { csvForm } from './csv-form.ts'
import { coded } from './field-errors.ts'
import { paged, pageOf, queryFlag, queryInt } from './lists.ts'
import { preflight } from './migration-preflight.ts'
import { accepted, logLine, runningOperation, waitingStep } from './operations.ts'
import { searched } from './plain-text.ts'
import type { Route } from './route.ts'
import { csvByTicket, downloadLink, refusalsOfExports, refusalsOfTickets } from './tickets.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { editionCode, productCode } from './wire-codecs.ts'

export const liveMigrationStates = ['STOPPED', 'RUNNING', 'FAILED', 'COMPLETED', 'PARTIALLY_COMPLETED'] as const
export type LiveMigrationState = (typeof liveMigrationStates)[number]

/** `isWarningEnabled`: a run may still be touching rooms although the state says otherwise. */
export const liveMigration = z.object({
  id: z.int(),
  sourceRegion: z.int(),
  targetRegion: z.int(),
  state: z.enum(liveMigrationStates),
  routing: z.boolean(),
  /** When the newest run began; null before the first. */
  startDate: z.iso.datetime().nullable(),
  currentMigratedProjectRoom: z.string().nullable(),
  isWarningEnabled: z.boolean(),
  parallel: z.boolean(),
  /** Grows with each change of the configuration. */
  version: z.int(),
})
export type LiveMigration = z.output<typeof liveMigration>

/** The range of the database's integer ids. */
const id = (error: string) => z.int({ error }).min(0, error).max(2_147_483_647, error)
const fillAllFields = coded('migration-fields-missing')
const selectOne = coded('migration-not-selected')
const selectState = coded('migration-state-not-selected')

export const liveMigrationDraft = ignoring(
  z
    .object({
      /** Absent for a new configuration. */
      id: id(selectOne).optional(),
      /** The version that the change is based on; another one is stored: 409. Absent: not compared. */
      version: z.int().nullish(),
      sourceRegion: id(fillAllFields),
      targetRegion: id(fillAllFields),
      routing: z.boolean().default(false),
      parallel: z.boolean().default(false),
    })
    .refine((draft) => draft.sourceRegion !== draft.targetRegion, {
      path: ['targetRegion'],
      message: coded('migration-to-itself'),
    }),
  fieldsOf(liveMigration),
)
export type LiveMigrationDraft = z.output<typeof liveMigrationDraft>

/** Callers may send the whole configuration; only its id is read. */
const configuration = ignoring(z.object({ id: id(selectOne) }), fieldsOf(liveMigration))

/**
 * The rooms to move. Without `allMatching`: the rooms named in `selectedRooms`. With it: every room of the source in
 * state DEFAULT or SUSPENDED whose name, customer or e-mail contains the search text (empty: every room), except the
 * named ones.
 */
export const roomSelection = z.object({
  liveMigrationData: configuration,
  selectedRooms: z.array(z.string().max(64)).max(100_000),
  allMatching: z
    .object({ search: searched.trim().max(200) })
    .nullable()
    .default(null),
  /** true: sessions are not checked, so rooms in use are moved too. */
  skippActiveSessions: z.boolean().default(false),
})
export type RoomSelection = z.output<typeof roomSelection>

/** The columns by which the picker can be sorted; ties are ordered by name. */
export const migrationRoomSorts = ['projectRoomName', 'product', 'edition', 'customerEmail', 'priority'] as const

/** A room that can be picked. Its state is the stored one, so that rooms can be moved away from a disabled source. */
export const migrationRoom = z.object({
  projectRoomName: z.string(),
  product: productCode,
  edition: editionCode,
  customerFirstName: z.string(),
  customerLastName: z.string(),
  customerEmail: z.string(),
  companyName: z.string(),
  projectRoomState: z.enum(['DEFAULT', 'SUSPENDED']),
  priority: z.int(),
  /** A move of the room would have to wait for this operation. */
  runningOperation: runningOperation.nullable(),
})
export type MigrationRoom = z.output<typeof migrationRoom>

export const migratingRoomStates = ['waiting', 'running', 'migrated', 'postponed', 'failed'] as const
export const migratingRoom = z.object({
  projectRoomName: z.string(),
  state: z.enum(migratingRoomStates),
  operationId: z.uuid().nullable(),
  step: z.string().nullable(),
  stepId: z.string().nullable(),
  progress: z.number().min(0).max(1),
  // Both can be true: what was cancelled is put back.
  isCancelling: z.boolean(),
  isBeingPutBack: z.boolean(),
  waiting: waitingStep.nullable(),
  /** Why it failed or was postponed. */
  reason: z.string().nullable(),
  reasons: reasonList,
})
export type MigratingRoom = z.output<typeof migratingRoom>

/** The newest run of a configuration. The bytes are those of the backups that have reached the target. */
export const migrationProgress = z.object({
  operationId: z.uuid(),
  state: z.enum(liveMigrationStates),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  startedBy: z.string(),
  total: z.int(),
  done: z.int(),
  inFlight: z.int(),
  waiting: z.int(),
  postponed: z.int(),
  failed: z.int(),
  bytesMoved: z.number(),
  /** Over the last minute; over the whole run if it is younger or has ended. Null when nothing arrived. */
  bytesPerSecond: z.number().nullable(),
  /** Null like the rate while none of the rooms in flight gets on. */
  secondsLeft: z.number().nullable(),
  /** The names of the regions that do not answer: no further room is begun until they do. */
  waitsFor: z.array(z.string()).default([]),
  /** At most 100: the running ones first, then failed, postponed, waiting and migrated. */
  rooms: z.array(migratingRoom),
})
export type MigrationProgress = z.output<typeof migrationProgress>

/** `state` true: migrated; false: failed if `isLiveMigrationError`, otherwise postponed. */
export const migrationStateEntry = z.object({
  id: z.int(),
  projectRoomName: z.string(),
  state: z.boolean(),
  liveMigrationDate: z.iso.datetime(),
  isLiveMigrationError: z.boolean(),
  /** What it left in the target was removed since. */
  isCopyRemoved: z.boolean(),
})
export type MigrationStateEntry = z.output<typeof migrationStateEntry>

export const liveMigrationRoutes = {
  liveMigrations: {
    method: 'GET',
    path: '/api/operator/livemigration',
    access: 'admin',
    summary:
      'The configurations by id. Clears the warning of each that has no unfinished room. `download=1`: as a file, indented by 4.',
    query: z.object({ download: queryFlag }),
    answers: { 200: z.array(liveMigration) },
  },
  liveMigration: {
    method: 'GET',
    path: '/api/operator/livemigration/:id',
    access: 'admin',
    params: z.object({ id: queryInt({ min: 1, max: 2_147_483_647, default: 0 }) }),
    summary: 'One configuration.',
    refuses: ['migration-unknown'],
    answers: { 200: liveMigration },
  },
  saveLiveMigration: {
    method: 'POST',
    path: '/api/operator/livemigration',
    access: 'admin',
    summary: 'Stores a new configuration, or changes one that does not run.',
    body: liveMigrationDraft,
    refuses: [
      'migration-unknown',
      'migration-stale',
      'migration-exists',
      'migration-running',
      'migration-warning',
      'wrong-state',
    ],
    answers: { 200: liveMigration },
  },
  deleteLiveMigration: {
    method: 'PUT',
    path: '/api/operator/livemigration',
    access: 'admin',
    summary: 'Removes a configuration with its state entries; not while it runs.',
    body: configuration,
    refuses: ['migration-unknown', 'migration-running', 'migration-warning', 'wrong-state'],
    answers: { 204: true },
  },
  migrationRooms: {
    method: 'POST',
    path: '/api/operator/livemigration/rooms',
    access: 'admin',
    summary:
      'The rooms of the source that can be picked: in stored state DEFAULT or SUSPENDED, their name, customer or e-mail containing the text.',
    query: z.object({
      ...paged({ usualSize: 8 }),
      order_by: z.enum(migrationRoomSorts).default('projectRoomName'),
      order_dir: z.enum(['asc', 'desc'], { error: coded('must-be-direction') }).default('asc'),
    }),
    body: z.object({ liveMigrationData: configuration, search: searched.trim().max(200).default('') }),
    refuses: ['migration-unknown', 'invalid-filter'],
    answers: { 200: pageOf(migrationRoom) },
  },
  preflightLiveMigration: {
    method: 'POST',
    path: '/api/operator/livemigration/preflight',
    access: 'admin',
    summary: 'What would happen to each selected room if the migration began now, and what stands in the way.',
    query: z.object(paged({ sizeAtMost: 50, usualSize: 8 })),
    body: roomSelection,
    longBody: true,
    refuses: ['migration-unknown', 'invalid-filter'],
    answers: { 200: preflight },
  },
  startLiveMigration: {
    method: 'POST',
    path: '/api/operator/livemigration/start',
    access: 'admin',
    startsOperation: true,
    summary: 'Begins to move the selected rooms.',
    body: roomSelection,
    longBody: true,
    refuses: [
      'migration-unknown',
      'migration-running',
      'migration-warning',
      'migration-too-early',
      'region-disabled',
      'same-server',
      'invalid-filter',
    ],
    answers: { 202: accepted },
  },
  stopLiveMigration: {
    method: 'POST',
    path: '/api/operator/livemigration/stop',
    access: 'admin',
    summary: 'Begins no further room; those in flight are finished.',
    body: configuration,
    refuses: ['migration-unknown', 'migration-not-running'],
    answers: { 200: liveMigration },
  },
  resetLiveMigrationPriority: {
    method: 'POST',
    path: '/api/operator/livemigration/resetPriority',
    access: 'admin',
    summary: 'Sets the priority of the rooms in the state entries to 0; `all` also clears the warning.',
    body: ignoring(configuration.extend({ all: z.boolean().default(false) }), fieldsOf(liveMigration)),
    refuses: ['migration-unknown', 'priority-not-reset'],
    answers: { 200: liveMigration },
  },
  liveMigrationProgress: {
    method: 'GET',
    path: '/api/operator/livemigration/:id/progress',
    access: 'admin',
    params: z.object({ id: queryInt({ min: 1, max: 2_147_483_647, default: 0 }) }),
    summary: 'How far the newest run is; null before the first.',
    refuses: ['migration-unknown'],
    answers: { 200: migrationProgress.nullable() },
  },
  migrationStates: {
    method: 'POST',
    path: '/api/operator/livemigration/state',
    access: 'admin',
    summary: 'What became of the rooms of a configuration, newest first.',
    body: configuration,
    refuses: ['migration-unknown'],
    answers: { 200: z.array(migrationStateEntry) },
  },
  deleteMigrationStates: {
    method: 'PUT',
    path: '/api/operator/livemigration/state',
    access: 'admin',
    summary: 'Removes state entries.',
    body: z.object({
      states: z.array(id(selectState)).min(1, selectState).max(100_000),
      liveMigrationDataID: id(selectOne),
    }),
    refuses: ['migration-unknown', 'migration-state-unknown'],
    answers: { 204: true },
  },
  forceDeleteFailedRooms: {
    method: 'POST',
    path: '/api/operator/livemigration/delete/failed',
    access: 'admin',
    startsOperation: true,
    summary: 'Removes what failed migrations left in the target; never the copy that is in use.',
    body: z.object({
      projectRoomNames: z.array(z.string().max(64)).min(1, coded('migration-room-not-selected')).max(1000),
      liveMigrationDataID: id(selectOne),
    }),
    refuses: ['migration-unknown', 'migration-running', 'migration-warning', 'copy-in-use'],
    answers: { 202: accepted },
  },
  migrationStateLogs: {
    method: 'GET',
    path: '/api/operator/livemigration/logs',
    access: 'admin',
    summary: 'The log and the error of a state entry.',
    query: z.object({ stateId: queryInt({ min: 1, max: 2_147_483_647, default: 0 }) }),
    refuses: ['migration-state-unknown'],
    answers: {
      200: z.object({
        logInfo: z.string(),
        errorInfo: z.string(),
        errorReasons: reasonList,
        /** The log again, with codes; empty once the operation has been removed. */
        lines: z.array(logLine),
      }),
    },
  },
  exportMigrationLogs: {
    method: 'GET',
    path: '/api/operator/livemigration/export',
    access: 'admin',
    summary: 'The state entries of a configuration with their logs, as CSV.',
    query: z.object({ id: queryInt({ min: 1, max: 2_147_483_647, default: 0 }), csv: csvForm }),
    refuses: ['migration-unknown', ...refusalsOfExports],
    answers: { 200: z.unknown() },
    stream: 'text/csv; charset=utf-8',
  },
  createMigrationLogsTicket: {
    method: 'POST',
    path: '/api/operator/livemigration/export/ticket',
    access: 'admin',
    summary: 'A link with which a browser downloads the state entries of a configuration: for one minute, once.',
    body: z.object({ id: id(coded('must-be-whole-number-between', { min: 0, max: 2_147_483_647 })), csv: csvForm }),
    refuses: ['migration-unknown', ...refusalsOfExports],
    answers: { 200: downloadLink },
  },
  downloadMigrationLogs: {
    ...csvByTicket,
    path: '/api/operator/livemigration/export/download/:ticket',
    refuses: [...refusalsOfTickets, 'migration-unknown', ...refusalsOfExports],
  },
} as const satisfies Record<string, Route>
