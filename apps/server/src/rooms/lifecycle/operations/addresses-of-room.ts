import type { Services } from '#operations/index.ts'
import type { StoredRoom } from '../../stored-room.ts'

/** Where customers find a room. */
export interface RoomAddresses {
  /** The room on its region; it changes when the room moves. */
  room: string
  /** The console's page that leads to a room by its name. */
  console: string
}

export async function addressesOf(
  { db, publicUrl }: Pick<Services, 'db' | 'publicUrl'>,
  { regionId, name }: Pick<StoredRoom, 'regionId' | 'name'>,
): Promise<RoomAddresses> {
  const { url } = await db.selectFrom('regions').select('url').where('id', '=', regionId).executeTakeFirstOrThrow()
  return { room: `${url.replace(/\/+$/, '')}/${name}`, console: `${publicUrl}login` }
}
