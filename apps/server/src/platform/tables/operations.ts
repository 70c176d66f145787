/** Operations, who runs them, and what consoles are told. */
import type { OperationState, ProcessType } from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface OperationsTable {
  id: string
  kind: string
  version: number
  process_type: string | null
  room_id: string | null
  room_name: string
  region_id: number | null
  input: JSONColumnType<Record<string, unknown>>
  state: OperationState
  step: string | null
  progress: Defaulted<number>
  error: string | null
  started_by: string
  request_id: string | null
  cancel_requested: Defaulted<boolean>
  attempt: Defaulted<number>
  fence: Defaulted<number>
  created_at: Made<string>
  /** When the present attempt began, or was accepted while it waits. */
  executed_at: Defaulted<string>
  ended_at: string | null
  parent_id: Defaulted<string | null>
  log_lines: Generated<number>
  /** Whoever runs it; null: nobody does, and unless it is in line it may be claimed. */
  worker_id: Defaulted<string | null>
  claimed_at: Defaulted<string | null>
  /** Waits for places on regions. */
  in_line: Defaulted<boolean>
  /** Why it failed; while it is open, it is being put back for that. */
  failure: JSONColumnType<Failure> | null
  /** Begun before the database was restored from a dump. */
  restored: Defaulted<boolean>
}

export interface Failure {
  /** The text that people see. */
  reason: string
  /** For the kind only. */
  sort: string | null
}

export interface OperationStepsTable {
  operation_id: string
  position: number
  name: string
  state: 'open' | 'running' | 'done' | 'failed' | 'undone'
  output: unknown
  started_at: string | null
  ended_at: string | null
  process_type: Defaulted<ProcessType | null>
  region_id: Defaulted<number | null>
  /** Of steps that have a process type. */
  room_name: Defaulted<string | null>
  /** Since when it fails for reasons that may pass, without getting further. */
  failing_since: Defaulted<string | null>
  /** That is its undo. */
  failing_undo: Defaulted<boolean>
  /** How much of it was done at most before the last of those failures. */
  furthest: Defaulted<number>
}

export interface OperationLogTable {
  operation_id: string
  n: number
  at: Defaulted<string>
  level: 'info' | 'warning' | 'error'
  text: string
  position: Defaulted<number | null>
}

export interface OperationPlacesTable {
  operation_id: string
  region_id: number
  n: number
  held: Defaulted<boolean>
  attempt: number
}

/** What operations that have ended may still have on its way. */
export interface LateCallsTable {
  operation_id: string
  region_id: number
  room_id: string | null
  fence: number
  ended_at: Defaulted<string>
}

export interface WorkersTable {
  id: string
  machine: string | null
  pid: number | null
  pid_began: string | null
  /** The operations that it says it runs. */
  running: Defaulted<string[]>
  started_at: Made<string>
  heartbeat_at: Defaulted<string>
}

export interface IdempotencyKeysTable {
  operator_id: string
  route: string
  key: string
  body_hash: Buffer
  operation_id: string
  at: Defaulted<string>
}

export interface EventsTable {
  id: Made<number>
  tx: Made<string>
  at: Made<string>
  payload: JSONColumnType<Record<string, unknown>>
}
