/** The call of the step that updates many rooms, and its progress in each region. */
import type { CodedReason } from '@roomkeeper/contract'
import type { StepCall } from '#operations/index.ts'

export type UpdateCall = StepCall<unknown>

export interface RegionUpdate {
  id: number
  name: string
  /** The approximate number of rooms to update. */
  rooms: number
  /** Why the rooms of the region are skipped; null if they are not. */
  problem: CodedReason | null
  /** The id of the last room that was checked. Rooms are checked in the order of their ids. */
  after: string
  /** Whether some rooms were busy, so that another pass over all rooms is needed. */
  someAreBusy: boolean
  allStarted: boolean
  finished: boolean
}
