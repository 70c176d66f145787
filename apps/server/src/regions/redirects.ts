/** Records which regions redirect the visitors of rooms that moved away, and where to. */
import { type Db, queryRows, type Tx } from '#platform/database.ts'

interface Redirect {
  regionId: number
  /** The address of the region to which visitors are redirected. */
  targetUrl: string
}

const select = `select route.region_id, target.url as target_url
                  from redirects route join regions target on target.id = route.target_region_id`

export async function findRedirect(
  db: Db,
  { roomId, regionId }: { roomId: string; regionId: number },
): Promise<Redirect | null> {
  const rows = await queryRows<Redirect>(db, `${select} where route.room_id = $1 and route.region_id = $2`, [
    roomId,
    regionId,
  ])
  return rows[0] ?? null
}

export function redirectsOfRoom(db: Db, roomId: string): Promise<Redirect[]> {
  return queryRows<Redirect>(db, `${select} where route.room_id = $1 order by route.region_id`, [roomId])
}

/** The region that the room leaves redirects visitors if `routing`; the region where it arrives stops redirecting. */
export async function recordRedirect(
  tx: Tx,
  move: { room: { id: string; name: string }; regionId: number; arrivesIn: number; routing: boolean },
): Promise<void> {
  const { room, regionId, arrivesIn, routing } = move
  await queryRows(tx, 'delete from redirects where room_id = $1 and region_id in ($2, $3)', [
    room.id,
    regionId,
    arrivesIn,
  ])
  if (!routing) return
  await queryRows(
    tx,
    'insert into redirects (room_id, room_name, region_id, target_region_id) values ($1, $2, $3, $4)',
    [room.id, room.name, regionId, arrivesIn],
  )
}

export async function forgetRedirect(tx: Tx, roomId: string, regionId: number): Promise<void> {
  await queryRows(tx, 'delete from redirects where room_id = $1 and region_id = $2', [roomId, regionId])
}
