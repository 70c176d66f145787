/** A purge would remove a backup under the operation that restores it in a test, or miss what that sends to a region. */
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { PurgeInput } from './purge-call.ts'

/** To be called with the deleted room locked, as whoever starts a test locks it. @throws Refusal `room-busy` */
export async function refuseWhileTested(
  tx: Tx,
  { roomId, roomName: room }: Pick<PurgeInput, 'roomId' | 'roomName'>,
): Promise<void> {
  const tests = await queryRows(
    tx,
    `select 1 from operations where kind = 'backup.verify' and state in ('waiting', 'running', 'cancelling')
        and room_id is null and input ? 'roomId' and input ->> 'roomId' = $1 limit 1`,
    [roomId],
  )
  if (tests.length > 0) throw refuse('room-busy', { room })
}
