/** The table of bulks; their rooms are the items of the operation that has the bulk's id. */
import type { BulkAction, BulkState, Role } from '@roomkeeper/contract'
import type { JSONColumnType } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface BulkTables {
  bulks: BulksTable
}

export interface BulksTable {
  id: string
  action: BulkAction
  parameters: JSONColumnType<Record<string, unknown>>
  total: number
  state: Defaulted<BulkState>
  startedBy: string
  /** In whose name it acts: who started it, or who retried it last. */
  actsFor: string
  /** Of them. What it may do with a room is decided when the room's turn comes. */
  role: Role
  startedAt: ReadOnlyColumn<string>
  endedAt: string | null
}
