import type { Db } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { StoredRoom } from './stored-room.ts'

/** The row of a room and the name of its region. @throws Refusal `room-unknown` */
export async function findRoomOnRegion(db: Db, name: string): Promise<{ room: StoredRoom; regionName: string }> {
  const row = await db
    .selectFrom('rooms')
    .innerJoin('regions', 'regions.id', 'rooms.regionId')
    .selectAll('rooms')
    .select('regions.name as regionName')
    .where('rooms.name', '=', name)
    .executeTakeFirst()
  if (row === undefined) throw refuse('room-unknown', { room: name })
  const { regionName, ...room } = row
  return { room, regionName }
}
