import type { ProjectRoom } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { presentRoom, type RoomRow, selectRoomsByName } from './list/room-rows.ts'

/** One room as the wire shows it, or null. */
export async function findRoom(db: Db | Tx, name: string): Promise<ProjectRoom | null> {
  const [row] = await queryRows<RoomRow>(db, selectRoomsByName, [[name]])
  return row === undefined ? null : presentRoom(row)
}
