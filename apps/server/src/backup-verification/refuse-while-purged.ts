/** While a deleted room is purged, and once a purge has begun, nothing of it may come to a region for a test. */
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

/** Whoever purges the room locks it, too, and sees the test. @throws Refusal `room-busy`, `purge-begun` */
export async function refuseWhilePurged(tx: Tx, roomId: string, room: string): Promise<void> {
  const [deleted] = await queryRows<{ operationId: string | null; purgeBegunAt: string | null }>(
    tx,
    'select operation_id, purge_begun_at from deleted_rooms where room_id = $1 for share',
    [roomId],
  )
  if (deleted === undefined) return
  // Not in the statement that waited for the lock: it would not see an operation that was started meanwhile.
  const open = `select 1 from operations where id = $1 and kind = 'room.purge' and ended_at is null`
  if ((await queryRows(tx, open, [deleted.operationId])).length > 0) throw refuse('room-busy', { room })
  if (deleted.purgeBegunAt !== null) throw refuse('purge-begun', { room })
}
