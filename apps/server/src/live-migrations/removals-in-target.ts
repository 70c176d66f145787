/** Removals of copies in a region, under way or just ended: they might remove the new copy of a room instead. */
import { type MoveFacts, minutesAfterForceDelete } from '@roomkeeper/rules'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { steadyTime } from '#platform/steady-time.ts'

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

/** Counted from the newest force delete on the region; a force delete under way counts as ending now. */
export async function minutesToWait(db: Db | Tx, regionId: number): Promise<number> {
  const [row] = await queryRows<{ minutes: number | null }>(
    db,
    `select ceil($2 - extract(epoch from now() - max(at)) / 60)::int as minutes
       from (select ended_at as at from forced_deletions where region_id = $1
             union all select now() from operations where region_id = $1 and kind = 'migration.force-delete'
               and state in ('waiting', 'running', 'cancelling')) as ended`,
    [regionId, minutesAfterForceDelete],
  )
  return row?.minutes ?? 0
}

/** Housekeeping: removes the ends of force deletes for which nothing waits any more. */
export async function tidyForcedDeletions(db: Db): Promise<void> {
  await queryRows(db, `delete from forced_deletions where ended_at < ${steadyTime} - make_interval(mins => $1)`, [
    minutesAfterForceDelete,
  ])
}
