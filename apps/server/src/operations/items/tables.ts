import type { Reasons } from '@roomkeeper/contract'
import type { Defaulted, MaybeJson } from '#platform/column-types.ts'
import type { ItemState } from './count-items.ts'

export interface ItemTables {
  operationItems: OperationItemsTable
}

/** The rooms that a parent operation works through. */
export interface OperationItemsTable {
  parentId: string
  position: number
  /** Only of the runs of live migrations: the configuration. */
  migrationId: number | null
  roomId: string
  roomName: string
  regionId: Defaulted<number>
  state: Defaulted<ItemState>
  operationId: string | null
  reason: string | null
  reasons: MaybeJson<Reasons>
  /** What the child carried to another region, and when it had arrived. */
  bytes: number | null
  bytesAt: string | null
  endedAt: string | null
}
