/**
 * Before a deleted room comes back, its region learns to refuse late calls of the operations that ended during the last
 * day: the one of the deletion would delete it again.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { refuseCallsOf } from '#regions/index.ts'
import { type RoomCall, targetOf } from './room-call.ts'

export async function refuseEarlierOfRoom(call: RoomCall): Promise<void> {
  const { region, roomId } = await targetOf(call)
  const earlier = await earlierOperations(call.services.db, roomId, call.id)
  await refuseCallsOf(region, earlier, call.mark)
}

/** Those of the room that ended during the last day, except this one. */
export function earlierOperations(db: Db, roomId: string, except: string): Promise<{ id: string; fence: number }[]> {
  return queryRows(db, earlierOfRoom, [roomId, except])
}

/** No call stays on its way for longer than a day. */
const earlierOfRoom = `select id, fence from operations where room_id = $1 and id <> $2 and ended_at > now() - interval '1 day'`
