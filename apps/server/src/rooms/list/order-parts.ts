/**
 * Divides an ordered list into parts whose sizes `room_totals` knows. A list ordered by a closed set (product, state,
 * region …) has one part per value, each ordered by name; any other list is a single part.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import type { RoomCriteria } from './criteria.ts'
import { fields } from './fields.ts'
import { sortKeySql } from './orders.ts'
import type { ListRegions } from './regions.ts'
import { isIn, isShownAs, shownStateSql } from './shown-state.ts'
import { addTotals, sumsOfTotals, type Totals, type TotalsRow } from './totals.ts'
import type { Part } from './window.ts'

/** @param where on `room_totals` */
export async function orderParts(
  db: Db,
  { field, direction }: RoomCriteria['sort'],
  where: RawBuilder<boolean>,
  regions: ListRegions,
): Promise<{ parts: Part[]; totals: Totals }> {
  const division = divisionBy(field, regions)
  const { rows } = await sql<TotalsRow & { value: string | number }>`
    select ${division?.value ?? sql`0`} as value, ${sumsOfTotals} from room_totals where ${where} group by 1`.execute(
    db,
  )
  const totals = addTotals(rows)
  if (division === null) {
    return { totals, parts: [{ where, key: sortKeySql(field, regions), rooms: totals.rooms }] }
  }
  const rooms = new Map(rows.map((row) => [row.value, row.rooms]))
  const parts = division.values.map((value) => ({
    where: sql<boolean>`${where} and ${division.holds(value as never)}`,
    key: null,
    rooms: rooms.get(value) ?? 0,
  }))
  return { totals, parts: direction === 'asc' ? parts : parts.reverse() }
}

/** Whether the order has more than one part. */
export function isDivided(field: RoomCriteria['sort']['field']): boolean {
  return divisionBy(field, { ordered: [], disabledIds: [] }) !== null
}

interface Division {
  value: RawBuilder<string | number>
  /** In ascending order. */
  values: readonly (string | number)[]
  holds(value: string | number): RawBuilder<boolean>
}

/** Null unless the field is a closed set that `room_totals` has. */
function divisionBy(field: RoomCriteria['sort']['field'], regions: ListRegions): Division | null {
  const found = fields[field]
  if (field === 'region' || found.kind === 'region-name') {
    const values = regions.ordered.map(({ id }) => id)
    return { value: sql.ref('region_id'), values, holds: (id) => isIn('region_id', [id]) }
  }
  if (found.kind === 'shown-state') {
    const values = found.members.map(({ name }) => name)
    return { value: shownStateSql(regions), values, holds: (state) => isShownAs([state as never], regions) }
  }
  if (found.kind === 'closed' && field !== 'subMiningType') {
    const { column, members } = found
    return { value: sql.ref(column), values: members.map(({ name }) => name), holds: (name) => isIn(column, [name]) }
  }
  return null
}
