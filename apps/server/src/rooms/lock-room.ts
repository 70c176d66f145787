import type { RegionState } from '@roomkeeper/contract'
import type { RoomSituation } from '@roomkeeper/rules'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { StoredRoom } from './stored-room.ts'

export interface LockedRoom {
  row: StoredRoom
  regionName: string
  situation: RoomSituation
}

/** Reads the room's row and locks it until the transaction ends. @throws Refusal `room-unknown` */
export async function lockRoom(tx: Tx, name: string): Promise<LockedRoom> {
  const row = await tx.selectFrom('rooms').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
  if (row === undefined) throw refuse('room-unknown', { room: name })
  const region = await tx
    .selectFrom('regions')
    .select(['name', 'state'])
    .where('id', '=', row.regionId)
    .executeTakeFirstOrThrow()
  return { row, regionName: region.name, situation: situationOf(row, region.state) }
}

function situationOf(row: StoredRoom, regionState: RegionState): RoomSituation {
  return { projectRoomState: row.state, productType: row.salesChannel, regionState }
}
