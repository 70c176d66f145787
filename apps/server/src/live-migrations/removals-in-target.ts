/** Removals under way in a region, which might mistake the new copy of a room for the one that they are to remove. */
import type { MoveFacts } from '@roomkeeper/rules'
import { type Db, queryRows, type Tx } from '#platform/database.ts'

type Removal = NonNullable<MoveFacts['removalInTarget']>

/** By the room's id. */
export type Removals = ReadonlyMap<string, Removal>

/** A force delete affects all of these rooms. */
export async function removalsInTarget(
  db: Db | Tx,
  targetRegionId: number,
  roomIds: readonly string[],
): Promise<Removals> {
  const open = await queryRows<{ roomId: string | null }>(
    db,
    `select case when kind <> 'migration.force-delete' then input->>'roomId' end as room_id from operations
      where region_id = $2 and state in ('waiting', 'running', 'cancelling')
        and (kind = 'migration.force-delete'
          or kind in ('migration.leave-source', 'migration.leave-target') and input->>'roomId' = any($1))`,
    [roomIds, targetRegionId],
  )
  if (open.some(({ roomId }) => roomId === null)) return new Map(roomIds.map((roomId) => [roomId, 'force-delete']))
  return new Map(open.flatMap(({ roomId }) => (roomId === null ? [] : [[roomId, 'former-copy']])))
}
