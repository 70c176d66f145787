/** Operations: the background work for rooms, with its steps, log, cancel and retry. */
import { z } from 'zod'
import { codedParams, reasonList } from './coded-text.ts'
import { coded } from './field-errors.ts'
import { commaJoined, paged, pageOf, queryInt } from './lists.ts'
import { searched } from './plain-text.ts'
import { refusalsOfStoredBackups } from './problem.ts'
import type { Route } from './route.ts'
import { processTypeCode } from './wire-codecs.ts'

/** 202: the operation was accepted and runs in the background. */
export const accepted = z.object({ operationId: z.uuid() })

export const operationStates = ['waiting', 'running', 'cancelling', 'done', 'failed', 'cancelled'] as const
export type OperationState = (typeof operationStates)[number]

/** Why the step of an operation does not get on, as a coded reason, and what comes next. */
export const waitingStep = z.object({
  code: z.string(),
  params: codedParams,
  /** When it failed first without getting any further since. */
  since: z.iso.datetime(),
  /** How often it has failed since then. */
  tries: z.int(),
  nextTryAt: z.iso.datetime(),
  /** The same by the server's clock. 0 and less: it is being tried again. */
  secondsToNextTry: z.number(),
  /** When the operation fails if the step goes on failing; null: it does not give up. */
  givesUpAt: z.iso.datetime().nullable(),
  /** All that the operation has done is then undone. */
  endsAsBefore: z.boolean(),
})
export type WaitingStep = z.output<typeof waitingStep>

/**
 * The operation that runs for a room right now. `step` is the title of its current step, null while the operation waits
 * in the queue; `stepId` is for programs and never changes. `progress` is 0 to 1.
 */
export const runningOperation = z.object({
  operationId: z.uuid(),
  processType: processTypeCode.nullable(),
  step: z.string().nullable(),
  stepId: z.string().nullable(),
  progress: z.number().min(0).max(1),
  /** It failed or was cancelled, and what it did is being put back. */
  isBeingPutBack: z.boolean(),
  /** Null: its step gets on, or the operation waits in the queue. */
  waiting: waitingStep.nullable(),
})
export type RunningOperation = z.output<typeof runningOperation>

/** What an operation is, for its title. */
const titled = {
  /** Such as `migration.run`: for programs, the same in every release. */
  kind: z.string(),
  /** The names of the regions between which it works; null: of none, or of one that was removed. */
  sourceRegion: z.string().nullable(),
  targetRegion: z.string().nullable(),
}

export const operationSummary = runningOperation.extend({
  ...titled,
  projectRoomName: z.string(),
  startedAt: z.iso.datetime(),
  startedBy: z.string(),
})
export type OperationSummary = z.output<typeof operationSummary>

export const endStates = ['done', 'failed', 'cancelled'] as const

/** An operation that has ended, and how. */
export const finishedOperation = z.object({
  ...titled,
  operationId: z.uuid(),
  processType: processTypeCode.nullable(),
  projectRoomName: z.string(),
  state: z.enum(endStates),
  startedBy: z.string(),
  endedAt: z.iso.datetime(),
  /** Why it failed. Null for operators who may not manage such operations, unless they started it. */
  errorText: z.string().nullable(),
  errorReasons: reasonList,
})
export type FinishedOperation = z.output<typeof finishedOperation>

export const logLevels = ['info', 'warning', 'error'] as const
export const logLine = z.object({
  n: z.int(),
  at: z.iso.datetime(),
  level: z.enum(logLevels),
  text: z.string(),
  /** What the text says, where the console has words for it in each language. */
  reasons: reasonList,
})
export type LogLine = z.output<typeof logLine>

export const operationSteps = z.object({
  /** For programs: the same in every release. */
  id: z.string(),
  /** For people. */
  name: z.string(),
  state: z.enum(['open', 'running', 'done', 'failed', 'undone']),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})
export type OperationStep = z.output<typeof operationSteps>

const byId = z.object({ id: z.uuid(coded('operation-id-invalid')) })

/**
 * The id of a monitoring entry: an operation, or a step with an entry of its own (`<operation id>:<position>`), such as
 * the backup inside a live migration.
 */
export const processId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:\d{1,3})?$/, coded('operation-id-invalid'))

export const monitoringSorts = ['projectRoomName', 'region', 'processType', 'executionTime', 'state'] as const

/** The state of an undone step is `cancelled`; these tell how it had ended before. */
const beforeUndo = {
  /** It was done, and was undone because the operation failed or was cancelled later. */
  isUndone: z.boolean(),
  /** It failed, and what it left behind was removed. */
  hasFailed: z.boolean(),
}

/** `region` is null when the process belongs to no region; a region with that id may no longer exist. */
export const monitoringEntry = z.object({
  id: processId,
  /** The id to pass to cancel and retry. */
  operationId: z.uuid(),
  ...titled,
  projectRoomName: z.string(),
  region: z.int().nullable(),
  processType: processTypeCode,
  /** When it began; while it waits, when it was accepted. */
  executionTime: z.iso.datetime(),
  state: z.enum(operationStates),
  ...beforeUndo,
  progress: z.number().min(0).max(1),
  /** Why it failed. */
  errorText: z.string().nullable(),
  errorReasons: reasonList,
})
export type MonitoringEntry = z.output<typeof monitoringEntry>

/** How many log lines an answer has at most; who gets as many asks for those after them. */
export const logLinesAtMost = 1000

export const operationRoutes = {
  runningOperations: {
    method: 'GET',
    path: '/api/operator/operations',
    access: 'all',
    summary: 'What runs now.',
    answers: { 200: z.array(operationSummary) },
  },
  finishedOperations: {
    method: 'GET',
    path: '/api/operator/operations/finished',
    access: 'all',
    summary: 'What ended in the last 12 hours, failures first, the newest 50. With ids: those of them that have ended.',
    query: z.object({ ids: commaJoined.pipe(z.array(byId.shape.id).max(100)).default([]) }),
    answers: { 200: z.array(finishedOperation) },
  },
  monitoring: {
    method: 'GET',
    path: '/api/operator/monitoring',
    access: 'admin',
    summary:
      'Background processes, running and ended. A room name that contains the text, one of the types OR one of the kinds matches.',
    query: z.object({
      ...paged({ usualSize: 10 }),
      sort_by: z.enum(monitoringSorts).default('executionTime'),
      order_by: z.enum(['asc', 'desc'], { error: coded('must-be-direction') }).default('desc'),
      name_search: searched.trim().max(64).default(''),
      /** Numbers of process types. */
      type_filter: commaJoined.default([]),
      /** Kinds of operations. Those that the server does not know match nothing. */
      kind_filter: commaJoined.pipe(z.array(z.string().max(64)).max(100)).default([]),
    }),
    answers: { 200: pageOf(monitoringEntry) },
  },
  operationLog: {
    method: 'GET',
    path: '/api/operator/monitoringLogs',
    access: 'edit',
    summary:
      'The numbered log lines of an operation after a given line, at most 1000, and its steps. Sales see creations and imports.',
    query: z.object({
      processId,
      after: queryInt({ min: 0, max: 2_147_483_647, default: 0 }),
    }),
    refuses: ['operation-unknown', 'not-allowed'],
    answers: {
      200: z.object({
        state: z.enum(operationStates),
        ...beforeUndo,
        steps: z.array(operationSteps),
        lines: z.array(logLine),
        errorText: z.string().nullable(),
        errorReasons: reasonList,
        /** Why *Retry* cannot help, and what to do instead; null: it may help. */
        whyNotRetry: z.object({ text: z.string(), reasons: reasonList }).nullable(),
      }),
    },
  },
  cancelOperation: {
    method: 'POST',
    path: '/api/operator/monitoring/:id/cancel',
    access: 'edit',
    params: byId,
    summary: 'Stops an operation and puts everything back as it was. Sales may do so for creations and imports.',
    refuses: ['operation-unknown', 'operation-ended', 'operation-not-cancellable', 'not-allowed'],
    answers: { 202: accepted },
  },
  retryOperation: {
    method: 'POST',
    path: '/api/operator/monitoring/:id/retry',
    access: 'edit',
    params: byId,
    summary: 'Runs a failed operation again from its failed step. Sales may do so for creations and imports.',
    refuses: [
      'operation-unknown',
      'operation-not-retryable',
      'region-disabled',
      'start-again',
      'room-busy',
      'wrong-state',
      'update-running',
      'verification-running',
      'not-allowed',
      ...refusalsOfStoredBackups,
    ],
    answers: { 202: accepted },
  },
} as const satisfies Record<string, Route>
