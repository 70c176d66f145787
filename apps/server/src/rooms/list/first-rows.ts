/**
 * Reads a page near the beginning without finding all matches: walks along the index of the order until the page is
 * full. Where matches are rarer in this part of the order than expected, the walk is given up, because it could go on
 * to the last room.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import { filterSql } from './filters.ts'
import type { List } from './list.ts'
import { hasIndexedOrder, orderSql, sortKeySql } from './orders.ts'

/** More rooms than this are never walked along: they take about as long as finding all matches. */
const mostWalked = 10_000

/** How many times more rooms than expected are walked along before it is given up. */
const patience = 4

/** Rooms that can be walked along in no time. */
const leastWalked = 1_000

/** @returns the names of the page; null if it did not become full, so that all matches have to be found */
export async function readFirstRows(db: Db, list: List, expected: number): Promise<string[] | null> {
  const { criteria, regions, matches, offset, size } = list
  if (!hasIndexedOrder(criteria.sort.field)) return null
  const share = Math.max(1, expected) / Math.max(1, await roomsInAll(db))
  const needed = Math.ceil((patience * (offset + size)) / share)
  if (needed > mostWalked) return null
  const order = orderSql(sortKeySql(criteria.sort.field, regions), criteria.sort.direction)
  const rooms = Math.max(leastWalked, needed)
  const names = await walk(db, { order, from: beginning(list), where: matches.where, rooms, offset, size })
  return names.length === size ? names : null
}

/** Callers that read a long list go on after the last name that they have: the walk begins there. */
function beginning({ criteria: { filters, sort }, regions }: List): RawBuilder<boolean> {
  if (sort.field !== 'tenantName') return sql`true`
  const bounds = filters.filter(
    ({ field, condition }) => field === 'tenantName' && ['more', 'less'].includes(condition.operator),
  )
  return sql`(${sql.join([sql`true`, ...bounds.map((bound) => filterSql(bound, regions))], sql` and `)})`
}

interface Walk {
  order: RawBuilder<unknown>
  from: RawBuilder<boolean>
  where: RawBuilder<boolean>
  /** How many rooms to look at. */
  rooms: number
  offset: number
  size: number
}

/** The inner limit keeps the planner to the index, and the outer one ends the walk. */
async function walk(db: Db, { order, from, where, rooms, offset, size }: Walk): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (select * from rooms where ${from} order by ${order} limit ${sql.lit(rooms)}) as rooms
     where ${where} order by ${order} limit ${sql.lit(size)} offset ${sql.lit(offset)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** As of the last time when PostgreSQL counted them. */
async function roomsInAll(db: Db): Promise<number> {
  const { rows } = await sql<{ rooms: number }>`
    select reltuples as rooms from pg_class where oid = 'rooms'::regclass`.execute(db)
  return rows[0]?.rooms ?? 0
}
