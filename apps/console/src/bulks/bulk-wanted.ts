import type { BulkAction, BulkSelection } from '@roomkeeper/contract'

export interface BulkWanted {
  action: BulkAction
  selection: BulkSelection
  /** How many rooms are selected, as the list has counted them. */
  count: number
}
