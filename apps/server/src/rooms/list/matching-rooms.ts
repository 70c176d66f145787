/** Which rooms a query of the list matches, for features that count the same rooms differently. */
import type { RoomExportQuery } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { parseRoomQuery } from './criteria.ts'
import { type Matches, matchesOf } from './matches.ts'
import { regionsFor } from './regions.ts'

/** @throws Refusal `invalid-filter` */
export async function matchingRooms({ pool }: Database, query: RoomExportQuery): Promise<Matches> {
  const criteria = parseRoomQuery(query)
  return matchesOf(criteria, await regionsFor(criteria, pool))
}
