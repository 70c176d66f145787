/** The regions that rooms of a bulk wait for, because they do not answer. */
import { type Db, queryRows } from '#platform/database.ts'
import type { SilentRegion } from '#regions/index.ts'

/** Rooms of a disabled region wait only for a move: any other action skips them. */
const isAwaited = (region: string, action: string) =>
  `(${region}.health = 'unreachable' and (${region}.state = 'enabled' or ${action} = 'move'))`

/** The bulk is `$1`, a region of its rooms `turn.region_id`. An e-mail needs no region, a move needs its target, too. */
export const isSilent = `exists (select from bulks where id = $1 and action <> 'notify') and (
  exists (select from bulks b join regions r on r.id = turn.region_id where b.id = $1 and ${isAwaited('r', 'b.action')})
  or exists (select from bulks b join regions r on r.id = (b.parameters ->> 'targetRegion')::int
              where b.id = $1 and b.action = 'move' and r.health = 'unreachable'))`

const waiting = `select from operation_items where parent_id = b.id and state = 'waiting'`

export function silentRegions(db: Db, bulkId: string): Promise<SilentRegion[]> {
  return queryRows<SilentRegion>(
    db,
    `select r.id, r.name from regions r join bulks b on b.id = $1
      where ${isAwaited('r', 'b.action')} and b.action <> 'notify' and b.ended_at is null
        and (exists (${waiting} and region_id = r.id)
          or b.action = 'move' and r.id = (b.parameters ->> 'targetRegion')::int and exists (${waiting}))
      order by r.name`,
    [bulkId],
  )
}
