/** How full the regions are, how that has changed, and when they are full. Their rooms are counted already. */
import { type Product, type RegionCapacity, trendDays } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { steadyTime } from '#platform/steady-time.ts'

const today = `(now() at time zone 'UTC')::date`

/** What is recorded last on a day counts as its end. */
export function startRecordingCapacity(scheduler: Scheduler, db: Db): void {
  scheduler.start({
    name: 'record of capacity',
    everySeconds: 600,
    scope: 'cluster',
    ignoresClock: true,
    async run() {
      await queryRows(db, record)
      await queryRows(db, `delete from region_days where day < (${steadyTime} at time zone 'UTC')::date - $1::int`, [
        trendDays,
      ])
    },
  })
}

// Locked, so that a region that is just being deleted gets no row.
const record = `
  insert into region_days as known (region_id, day, rooms)
  select id, ${today}, room_count from regions for key share
  on conflict (region_id, day) do update set rooms = excluded.rooms where known.rooms <> excluded.rooms`

/** By name. @param product only regions that serve it; null: all */
export function readCapacity(db: Db, product: Product | null): Promise<RegionCapacity[]> {
  return queryRows<RegionCapacity>(db, capacity, [product, trendDays])
}

/** Fewer days tell too little about the days to come. */
const fewestDays = 7
const longestDays = 3650

const capacity = `
  select id as region, name as region_name, state, health, room_count as rooms, nullif(max_rooms, -1) as "limit",
         coalesce(days, '[]') as trend,
         case when recorded >= ${fewestDays} and growth > 0 and max_rooms >= 0 and free < growth * ${longestDays}
           then (${today} + ceil(free / growth)::int)::text end as full_on
    from regions, greatest(max_rooms - room_count, 0) as free, lateral (
      select jsonb_agg(jsonb_build_object('day', day, 'rooms', rooms) order by day) as days, count(*) as recorded,
             regr_slope(rooms, day - ${today}) as growth
        from region_days where region_id = id and day > ${today} - $2::int) as trend
   where $1::text is null or $1 = any(products)
   order by name collate "und-x-icu", id`
