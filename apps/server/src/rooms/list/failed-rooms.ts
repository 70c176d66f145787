/** How many of the matching rooms are in error, for each cause. */
import type { FailedRooms, RoomExportQuery } from '@roomkeeper/contract'
import { sql } from 'kysely'
import { type Db, queryBuilt } from '#platform/database.ts'
import { failureCauseSql, matchingRooms } from './where.ts'

/** @returns the most frequent cause first @throws Refusal `invalid-filter` */
export async function countFailedRooms(db: Db, query: RoomExportQuery): Promise<FailedRooms> {
  const { where } = await matchingRooms(db, query)
  return queryBuilt<FailedRooms[number]>(
    db,
    sql`select ${failureCauseSql} as cause, count(*)::int as rooms from rooms where state = 'ERROR' and ${where}
         group by 1 order by rooms desc, cause`,
  )
}
