/**
 * The source or target of a run that does not answer: until it does, no further room is begun. A disabled target is not
 * waited for: each room fails at once, with that reason.
 */
import { type Db, queryRows } from '#platform/database.ts'
import type { SilentRegion } from '#regions/index.ts'

const silent = `from live_migrations m join regions r on r.id in (m.source_region_id, m.target_region_id)
  where m.run_id = $1 and m.state = 'RUNNING' and r.health = 'unreachable'
    and (r.state = 'enabled' or r.id = m.source_region_id)`

/** A condition on the run's id, `$1`. */
export const isSilent = `exists (select ${silent})`

export function silentRegions(db: Db, runId: string): Promise<SilentRegion[]> {
  return queryRows<SilentRegion>(
    db,
    `select r.id, r.name ${silent}
        and exists (select from operation_items where parent_id = $1 and state = 'waiting') order by r.name`,
    [runId],
  )
}
