/** Locks a deleted room until the transaction ends, for whoever restores or purges it. */
import type { Selectable } from 'kysely'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { DeletedRoomsTable } from '../tables.ts'

interface DeletedRoom extends Selectable<DeletedRoomsTable> {
  /** It cannot come back any more, even if housekeeping has not removed it yet. */
  isOver: boolean
}

/**
 * Housekeeping locks it, too, before it removes it.
 * @throws Refusal `deleted-room-unknown`, `room-busy` while it is restored or purged
 */
export async function lockDeletedRoom(tx: Tx, id: string): Promise<DeletedRoom> {
  const room = await tx.selectFrom('deletedRooms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (room === undefined) throw refuse('deleted-room-unknown')
  // A restore that could not be put back has left its room, which has to be deleted first.
  const [found] = await queryRows<{ isBusy: boolean; isOver: boolean }>(
    tx,
    `select exists (select from operations where id = $1 and ended_at is null)
            or exists (select from rooms where id = $2) as is_busy, $3::timestamptz <= now() as is_over`,
    [room.operationId, room.roomId, room.keptUntil],
  )
  if (found?.isBusy !== false) throw refuse('room-busy', { room: room.name })
  return { ...room, isOver: found.isOver }
}
