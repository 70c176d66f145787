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
  /** The operator in whose name it acts: the one who started it, or who retried it last. */
  actsFor: string
  /** That operator's role, which is compared with the rules when a room's turn comes. */
  role: Role
  startedAt: ReadOnlyColumn<string>
  endedAt: string | null
}
