/** Locks a deleted room until the transaction ends, for whoever restores or purges it. */
import type { Selectable } from 'kysely'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { DeletedRoomsTable } from '../tables.ts'

/**
 * Housekeeping locks it, too, before it removes it.
 * @throws Refusal `deleted-room-unknown`, `room-busy` while it is restored or purged, or one of its backups is restored in a test
 */
export async function lockDeletedRoom(tx: Tx, id: string): Promise<Selectable<DeletedRoomsTable>> {
  const room = await tx.selectFrom('deletedRooms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (room === undefined) throw refuse('deleted-room-unknown')
  // A restore that could not be put back has left its room, which has to be deleted first.
  const [busy] = await queryRows<{ isBusy: boolean; isOver: boolean }>(
    tx,
    `select exists (select from operations where id = $1 and ended_at is null)
            or exists (select from rooms where id = $2)
            or exists (select from operations where kind = 'backup.verify' and ended_at is null
                          and input->>'roomId' = $2::text) as is_busy, $3::timestamptz <= now() as is_over`,
    [room.operationId, room.roomId, room.keptUntil],
  )
  if (busy?.isBusy === true) throw refuse('room-busy', { room: room.name })
  if (busy?.isOver === true) throw refuse('deleted-room-unknown')
  return room
}
