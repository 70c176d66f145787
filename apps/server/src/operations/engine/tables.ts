/** Operations, and who runs them. */
import type { OperationState, Reasons } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made, MaybeJson } from '#platform/column-types.ts'

export interface EngineTables {
  operations: OperationsTable
  operationPlaces: OperationPlacesTable
  workers: WorkersTable
}

export interface OperationsTable {
  id: string
  kind: string
  version: number
  processType: string | null
  roomId: string | null
  roomName: string
  regionId: number | null
  input: JSONColumnType<Record<string, unknown>>
  state: OperationState
  /** The title and the id of the step that runs, or ran last. */
  step: string | null
  stepId: Defaulted<string | null>
  progress: Defaulted<number>
  error: string | null
  /** The same by its codes; null: an earlier version has written it. */
  errorReasons: MaybeJson<Reasons>
  startedBy: string
  requestId: string | null
  cancelRequested: Defaulted<boolean>
  attempt: Defaulted<number>
  fence: Defaulted<number>
  createdAt: Made<string>
  /** When the present attempt began, or was accepted while it waits. */
  executedAt: Defaulted<string>
  endedAt: string | null
  parentId: Defaulted<string | null>
  logLines: Generated<number>
  /** The worker that runs it; null: none does, and it may be claimed unless it waits for slots. */
  workerId: Defaulted<string | null>
  claimedAt: Defaulted<string | null>
  /** Waits for slots on regions. */
  inLine: Defaulted<boolean>
  /** Why it failed; while it is open, it is being undone because of this. */
  failure: JSONColumnType<Failure> | null
  /** Begun before the database was restored from a dump. */
  restored: Defaulted<boolean>
}

export interface OperationPlacesTable {
  operationId: string
  regionId: number
  n: number
  held: Defaulted<boolean>
  attempt: number
  /** Written by older versions only. */
  fromStep: Defaulted<number>
}

export interface WorkersTable {
  id: string
  machine: string | null
  pid: number | null
  pidBegan: string | null
  /** The operations that it says it runs. */
  running: Defaulted<string[]>
  startedAt: Made<string>
  heartbeatAt: Defaulted<string>
}

export interface Failure {
  /** In English, for an earlier version that takes over. */
  reason: string
  /** Those of an earlier version have none. */
  reasons?: Reasons
  /** For the kind only. */
  sort: string | null
}
