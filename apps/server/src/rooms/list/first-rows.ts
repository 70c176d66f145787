/**
 * Reads a page near the beginning without finding all matches: walks along the index of the order until the page is
 * full. In the order of a closed set it walks along the names of each value in turn. Where matches are rare in this
 * part of the order, the walk is given up, because it could go on to the last room.
 */
import type { RoomField } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import { type Condition, comparesText } from './condition.ts'
import { fields } from './fields.ts'
import { filterSql } from './filters.ts'
import type { List } from './list.ts'
import { orderParts } from './order-parts.ts'
import { hasIndexedOrder, orderSql, sortKeySql } from './orders.ts'

/**
 * More rooms than this are never walked along: ten to twenty milliseconds. What the planner expects is not asked, because
 * for parts of texts it is often a hundred times too low.
 */
const usuallyWalked = 10_000

/** @returns the names of the page; null if it did not become full, so that all matches have to be found */
export async function readFirstRows(db: Db, list: List, mostWalked: number = usuallyWalked): Promise<string[] | null> {
  const { criteria, regions, matches, offset, size } = list
  if (!hasIndexedOrder(criteria.sort.field)) return walkParts(db, list, mostWalked)
  const order = orderSql(sortKeySql(criteria.sort.field, regions), criteria.sort.direction)
  const names = await walk(db, { order, from: bounds(list), where: matches.where, offset, size, mostWalked })
  return names.length === size ? names : null
}

/**
 * Where the walk begins and ends, as conditions that the index of the order answers: callers that read a long list go
 * on after the last name that they have, and of rooms sorted by a date, those before some day lie together.
 */
function bounds({ criteria: { filters, sort }, regions }: List): RawBuilder<boolean> {
  const found = filters.filter(({ field, condition }) => field === sort.field && isBound(field, condition))
  return sql`(${sql.join([sql`true`, ...found.map((bound) => filterSql(bound, regions))], sql` and `)})`
}

function isBound(field: RoomField, { operator, isNegated, values }: Condition): boolean {
  if (isNegated || values.length > 1 || comparesText(operator)) return false
  return operator !== 'equals' || fields[field].kind !== 'text'
}

interface Walk {
  order: RawBuilder<unknown>
  from: RawBuilder<boolean>
  where: RawBuilder<boolean>
  offset: number
  size: number
  mostWalked: number
}

/** The inner limit keeps the planner to the index, and the outer one ends the walk. */
async function walk(db: Db, { order, from, where, offset, size, mostWalked }: Walk): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (select * from rooms where ${from} order by ${order} limit ${sql.lit(mostWalked)}) as rooms
     where ${where} order by ${order} limit ${sql.lit(size)} offset ${sql.lit(offset)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** @returns null if the page did not become full */
async function walkParts(
  db: Db,
  { criteria, regions, matches, offset, size }: List,
  mostWalked: number,
): Promise<string[] | null> {
  const { parts } = await orderParts(db, criteria.sort, sql`true`, regions)
  const order = orderSql(null, criteria.sort.direction)
  const names: string[] = []
  let left = mostWalked
  for (const part of parts.filter(({ rooms }) => rooms > 0)) {
    const wanted = offset + size - names.length
    const found = await walkPart(db, { part: part.where, order, where: matches.where, left, wanted })
    names.push(...found.names)
    if (names.length >= offset + size) return names.slice(offset)
    left -= found.walked
    if (left <= 0) return null
  }
  return null
}

interface PartWalk {
  part: RawBuilder<boolean>
  order: RawBuilder<unknown>
  where: RawBuilder<boolean>
  /** How many rooms may be walked along. */
  left: number
  wanted: number
}

/**
 * The names of the part come from an index alone, however rare the value is; each room is then looked up, until there
 * are enough. Both in one statement, so that `walked` tells whether these were all rooms of the part.
 */
async function walkPart(db: Db, { part, order, where, left, wanted }: PartWalk) {
  const { rows } = await sql<{ names: string[]; walked: number }>`
    with part as materialized (select name from rooms where ${part} order by ${order} limit ${sql.lit(left)})
    select (select count(*) from part) as walked, array(
      select name from part cross join lateral (
        select from rooms where rooms.name = part.name and (${where}) offset 0
      ) as matching order by ${order} limit ${sql.lit(wanted)}
    ) as names`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('A count has one row.')
  return found
}
