/**
 * Reads a page near the beginning without finding all matches: walks along the index of the order until the page is
 * full. Where matches are rare in this part of the order, the walk is given up, because it could go on to the last room.
 */
import type { RoomField } from '@roomkeeper/contract'
import { sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import { type Condition, comparesText } from './condition.ts'
import { fields } from './fields.ts'
import { filterSql } from './filters.ts'
import type { List } from './list.ts'
import { hasIndexedOrder, orderSql, sortKeySql } from './orders.ts'

/**
 * More rooms than this are never walked along: ten to twenty milliseconds. What the planner expects is not asked, because
 * for parts of texts it is often a hundred times too low.
 */
const usuallyWalked = 10_000

/** @returns the names of the page; null if it did not become full, so that all matches have to be found */
export async function readFirstRows(db: Db, list: List, mostWalked: number = usuallyWalked): Promise<string[] | null> {
  const { criteria, regions, matches, offset, size } = list
  const { filters, sort } = criteria
  if (!hasIndexedOrder(sort.field)) return null
  const order = orderSql(sortKeySql(sort.field, regions), sort.direction)
  // Callers that read a long list go on after the last name that they have: the index begins there.
  const bounds = filters.filter(({ field, condition }) => field === sort.field && isBound(field, condition))
  const from = sql.join([sql`true`, ...bounds.map((bound) => filterSql(bound, regions))], sql` and `)
  // The inner limit keeps the planner to the index, and the outer one ends the walk.
  const { rows } = await sql<{ name: string }>`
    select name from (select * from rooms where ${from} order by ${order} limit ${sql.lit(mostWalked)}) as rooms
     where ${matches.where} order by ${order} limit ${sql.lit(size)} offset ${sql.lit(offset)}`.execute(db)
  return rows.length === size ? rows.map(({ name }) => name) : null
}

function isBound(field: RoomField, { operator, isNegated, values }: Condition): boolean {
  if (isNegated || values.length > 1 || comparesText(operator)) return false
  return operator !== 'equals' || fields[field].kind !== 'text'
}
