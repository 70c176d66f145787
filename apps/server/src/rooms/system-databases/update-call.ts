/** A step's call in an update of many rooms, and how far it is with each region. */
import type { StepCall } from '#operations/index.ts'
import type { RoomServices } from '../steps/room-services.ts'

export type UpdateCall = StepCall<unknown, RoomServices>

export interface RegionUpdate {
  id: number
  name: string
  /** About how many rooms there are to update. */
  rooms: number
  /** Why its rooms are skipped. */
  problem: string | null
  /** The last room that was checked; rooms are checked in the order of their ids. */
  after: string
  /** Some rooms were busy, so the check starts again from the first. */
  someAreBusy: boolean
  allStarted: boolean
  finished: boolean
}
