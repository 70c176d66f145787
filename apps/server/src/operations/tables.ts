/** Tables of steps, logs and idempotency keys. */
import type { OperationState, ProcessType, Reasons } from '@roomkeeper/contract'
import type { Defaulted, MaybeJson } from '#platform/column-types.ts'
import type { EngineTables } from './engine/index.ts'
import type { ItemTables } from './items/index.ts'

export interface OperationTables extends EngineTables, ItemTables {
  operationSteps: OperationStepsTable
  operationLog: OperationLogTable
  operationOutcomes: OperationOutcomesTable
  idempotencyKeys: IdempotencyKeysTable
}

export interface OperationStepsTable {
  operationId: string
  position: number
  stepId: string
  /** The step's title when the operation was started. */
  name: string
  state: 'open' | 'running' | 'done' | 'failed' | 'undone'
  /** How it had ended before it was undone; null: it is not undone. */
  stateBeforeUndo: Defaulted<'running' | 'done' | 'failed' | null>
  output: unknown
  startedAt: string | null
  endedAt: string | null
  processType: Defaulted<ProcessType | null>
  regionId: Defaulted<number | null>
  /** Only for steps that have a process type. */
  roomName: Defaulted<string | null>
  /** Since when the step has been failing transiently without progress. */
  failingSince: Defaulted<string | null>
  /** true: the undo of the step is what fails since `failingSince`. */
  failingUndo: Defaulted<boolean>
  /** The highest share of the step that was reached before the last of those failures, 0 to 1. */
  furthest: Defaulted<number>
  /** Why the last of those failures came about. */
  failingReasons: MaybeJson<Reasons>
  /** null: the step is not tried again. */
  nextTryAt: Defaulted<string | null>
}

export interface OperationLogTable {
  operationId: string
  n: number
  at: Defaulted<string>
  level: 'info' | 'warning' | 'error'
  text: string
  /** What the text says; null: it is a text only. */
  reasons: MaybeJson<Reasons>
  position: Defaulted<number | null>
}

/** How an operation ended that has been removed since. Successful operations of policies leave none. */
export interface OperationOutcomesTable {
  operationId: string
  state: OperationState
  error: string | null
  errorReasons: MaybeJson<Reasons>
}

export interface IdempotencyKeysTable {
  operatorId: string
  route: string
  key: string
  bodyHash: Buffer
  operationId: string
  at: Defaulted<string>
}
