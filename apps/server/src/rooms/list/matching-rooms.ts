/** Which rooms a query of the list matches, for features that count the same rooms differently. */
import type { RoomExportQuery } from '@roomkeeper/contract'
import type { Db, Tx } from '#platform/database.ts'
import { parseRoomQuery } from './criteria.ts'
import { type Matches, matchesOf } from './matches.ts'
import { regionsFor } from './regions.ts'

/** @param db a transaction where one is open: within it, nobody may wait for another connection. @throws Refusal `invalid-filter` */
export async function matchingRooms(db: Db | Tx, query: RoomExportQuery): Promise<Matches> {
  const criteria = parseRoomQuery(query)
  return matchesOf(criteria, await regionsFor(criteria, db))
}
