import type { RoomCriteria } from './criteria.ts'
import type { Matches } from './matches.ts'
import type { ListRegions } from './regions.ts'

/** A page of the rooms that match, as it is searched for. */
export interface List {
  criteria: RoomCriteria
  regions: ListRegions
  matches: Matches
  offset: number
  size: number
  fewMatches: number
}
