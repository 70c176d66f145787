/**
 * How many scheduled operations may be begun in each region: no more wait in its line than it takes to have the next one
 * there when a slot becomes free. The others wait in the schedule, where they keep neither their room from other
 * operations nor other work in the background from its turn.
 */
import { type Database, queryRows } from '#platform/database.ts'

export interface Scheduling {
  database: Database
  regionConcurrency: number
}

interface FreeSlots {
  regionId: number
  free: number
  /** Of them, no more than half of all may be taken by tests of backups. */
  freeForTests: number
}

/** Only regions in which there are any. */
export function freeSlots({ database, regionConcurrency }: Scheduling): Promise<FreeSlots[]> {
  return queryRows<FreeSlots>(
    database.db,
    `select r.id as region_id, $1::int - coalesce(open.n, 0) as free,
            least($1 - coalesce(open.n, 0), greatest($1 / 2 - coalesce(open.tests, 0), 0)) as free_for_tests
       from regions r left join (
         select p.region_id, count(*)::int as n, count(*) filter (where o.kind = 'backup.verify')::int as tests
           from operation_slots p join operations o on o.id = p.operation_id
          where p.background and o.started_by = 'system' group by p.region_id
       ) as open on open.region_id = r.id
      where r.state = 'enabled' and coalesce(open.n, 0) < $1`,
    [regionConcurrency + 1],
  )
}
