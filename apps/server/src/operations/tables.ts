/** The table of operations. */
import type { OperationState, Reasons } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, MaybeJson, ReadOnlyColumn } from '#platform/column-types.ts'
import type { Failure } from './engine/index.ts'

export interface OperationTables {
  operations: OperationsTable
}

interface OperationsTable {
  id: string
  kind: string
  version: number
  processType: string | null
  roomId: string | null
  roomName: string
  regionId: number | null
  input: JSONColumnType<Record<string, unknown>>
  state: OperationState
  /** The title of the step that is running, or ran last; `stepId` is its id. */
  step: string | null
  stepId: Defaulted<string | null>
  progress: Defaulted<number>
  error: string | null
  /** `error` as reasons. */
  errorReasons: MaybeJson<Reasons>
  startedBy: string
  requestId: string | null
  cancelRequested: Defaulted<boolean>
  attempt: Defaulted<number>
  fence: Defaulted<number>
  createdAt: ReadOnlyColumn<string>
  /** When the current attempt began, or when it was requested if it still waits. */
  executedAt: Defaulted<string>
  endedAt: string | null
  parentId: Defaulted<string | null>
  logLines: Generated<number>
  n: ReadOnlyColumn<number>
  /** The worker that runs the operation; null: it may be claimed, unless it waits for slots. */
  workerId: Defaulted<string | null>
  claimedAt: Defaulted<string | null>
  /** Whether the operation waits for slots on regions. */
  awaitsSlots: Defaulted<boolean>
  /** Why the operation failed; in an open operation, why it is being undone. */
  failure: JSONColumnType<Failure> | null
  /** Whether the operation began before the database was restored from a dump. */
  beganBeforeRestore: Defaulted<boolean>
  /** Of the span that started it, or its present attempt; null: nothing was traced. */
  traceparent: Defaulted<string | null>
}
