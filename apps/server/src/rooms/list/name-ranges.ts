/**
 * Finds a page in the middle of all rooms by name. The tables `room_name_ranges` and `room_name_changes` say together how
 * many rooms come before each of some names, about a thousand rooms apart, so that only those around the page are read.
 */
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#platform/database.ts'
import type { Direction, RoomCriteria } from './criteria.ts'
import { type FilledRow, filledPage, type RoomPage, withRooms } from './filled-page.ts'
import type { List } from './list.ts'
import { sumsOfTotals } from './totals.ts'

/** Whether these are all rooms in the order of their names. */
export function isCountedByName({ search, words, filters, sort }: RoomCriteria): boolean {
  return search.length === 0 && words.length === 0 && filters.length === 0 && sort.field === 'tenantName'
}

/** In one statement, so that the counts, the totals and the rooms are those of one moment. */
export async function pageByName({ db, pool }: { db: Db; pool: pg.Pool }, list: List): Promise<RoomPage> {
  const { criteria, offset, size } = list
  const { direction } = criteria.sort
  const { rows } = await pool.query<FilledRow>({
    name: `rooms-around-a-name-${direction}`,
    text: statements(db)[direction],
    values: [offset, size],
  })
  return filledPage(rows)
}

let compiled: Record<Direction, string> | null = null

/** Their parameters are offset and size. */
function statements(db: Db): Record<Direction, string> {
  const textOf = (direction: Direction) => withRooms(aroundName(direction)).compile(db).sql
  compiled ??= { asc: textOf('asc'), desc: textOf('desc') }
  return compiled
}

/** `before` is how many rooms have a smaller name than `start`; `ahead`, how many come before the page, by name upwards. */
function aroundName(direction: Direction) {
  const { ahead, count } = slices[direction]
  return sql`
    with marks as materialized (
      select start as name, rooms as change, true as is_start from room_name_ranges
      union all select name, change, false from room_name_changes
    ), counted as (
      select name as start, is_start,
        coalesce(sum(change) over (order by name, is_start desc rows between unbounded preceding and 1 preceding), 0) as before
      from marks
    ), wanted as materialized (
      select ${sql.raw(ahead)} as ahead, ${sql.raw(count)} as count from (select sum(change) as rooms from marks) as whole
    ), place as materialized (
      select start, before, ahead, count from counted, wanted where is_start and before <= ahead
      order by before desc, start desc limit 1
    )
    select ${sumsOfTotals}, array(
      select name from (
        select name from rooms where name >= (select start from place) order by name
        limit (select count from place) offset (select ahead - before from place)
      ) as page order by name ${sql.raw(direction)}
    ) as names from room_totals`
}

/** Where the page lies among `rooms` names in ascending order; `$1` is the offset in the list and `$2` the page's size. */
const slices: Record<Direction, { ahead: string; count: string }> = {
  asc: { ahead: '$1::bigint', count: '$2::bigint' },
  desc: {
    ahead: 'greatest(rooms - $1::bigint - $2::bigint, 0)',
    count: 'greatest(least($2::bigint, rooms - $1::bigint), 0)',
  },
}
