/** A step's call in an update of many rooms, and how far it is with each region. */
import type { StepCall } from '#operations/index.ts'
import type { RoomServices } from '../steps/room-services.ts'

export type UpdateCall = StepCall<unknown, RoomServices>

export interface RegionUpdate {
  id: number
  name: string
  /** About how many rooms there are to update. */
  rooms: number
  /** Why its rooms are left alone. */
  problem: string | null
  /** The last room looked at; rooms are looked at in the order of their ids. */
  after: string
  /** Some rooms were busy since the look began, so it begins anew. */
  someAreBusy: boolean
  allBegun: boolean
  finished: boolean
}
