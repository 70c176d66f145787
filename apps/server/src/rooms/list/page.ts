/**
 * Finds the rooms on one page and the totals over all matches, in the fastest of three ways:
 * - Summarised: `room_totals` has the totals and the size of each part of the order, so only rooms of the part that
 *   holds the page are read, from its nearer end.
 * - Few matches: one pass over them gives both the page and the totals.
 * - Many matches: one statement counts them, another reads the page along its order.
 * A caller that can wait for the totals gets the page without them where they would cost much: see first-rows.ts.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from '#platform/database.ts'
import { queryPrepared } from '#platform/prepared.ts'
import type { RoomCriteria } from './criteria.ts'
import { filledPage, type RoomPage, withRooms } from './filled-page.ts'
import { readFirstRows } from './first-rows.ts'
import type { List } from './list.ts'
import { type Matches, matchesOf } from './matches.ts'
import { isDivided, orderParts } from './order-parts.ts'
import { orderSql, sortKeySql } from './orders.ts'
import type { ListRegions } from './regions.ts'
import { countedColumns, sumsOfRooms, sumsOfTotals, type Totals, type TotalsRow, totalsOf } from './totals.ts'
import { type Part, readWindow } from './window.ts'

export type { RoomPage } from './filled-page.ts'

export interface PageRequest {
  /** Counts from 0. */
  page: number
  size: number
  /** Up to this many matches, holding them in memory costs less than searching twice. */
  fewMatches: number
  /** If finding all matches costs more than this, in the planner's units, the page may come without totals. */
  maxCostOfTotals: number | null
  /** See first-rows.ts. */
  mostWalked?: number | undefined
}

export async function readPage(
  database: Database,
  criteria: RoomCriteria,
  regions: ListRegions,
  request: PageRequest,
): Promise<RoomPage> {
  const matches = matchesOf(criteria, regions)
  const offset = request.page * request.size
  const list: List = { criteria, regions, matches, offset, size: request.size, fewMatches: request.fewMatches }
  // These statements name their columns as the rows need them, so kysely's plugins have nothing to translate.
  const db = database.db.withoutPlugins()
  if (matches.areSummarised) return summarisedPage({ db, pool: database.pool }, list)
  const expected = await expectedMatches(db, matches)
  if (request.maxCostOfTotals !== null && expected.cost > request.maxCostOfTotals && offset <= nearOffset)
    return quickPage(db, list, request.mostWalked)
  return expected.rooms <= list.fewMatches ? onePassPage(db, list) : countedPage(db, list)
}

/** Comes without totals if it is full. */
async function quickPage(db: Db, list: List, mostWalked?: number): Promise<RoomPage> {
  const names = (await readFirstRows(db, list, mostWalked)) ?? (await firstSorted(db, list))
  if (names.length === list.size) return { totals: null, names, rows: null }
  if (list.offset > 0) return onePassPage(db, list)
  return { totals: await countMatches(db, sql`name = any(${names}::text[])`), names, rows: null }
}

/** The totals alone. */
export async function readTotals(database: Database, criteria: RoomCriteria, regions: ListRegions): Promise<Totals> {
  const matches = matchesOf(criteria, regions)
  const { where, areSummarised } = matches
  const db = database.db.withoutPlugins()
  if (areSummarised) {
    const summed = sql<TotalsRow>`select ${sumsOfTotals} from room_totals where ${where}`
    return totalsOf(onlyRow((await summed.execute(db)).rows))
  }
  return countMatches(db, where)
}

async function countMatches(db: Db, where: RawBuilder<boolean>): Promise<Totals> {
  const counted = sql<TotalsRow>`select ${sumsOfRooms} from rooms where ${where}`
  return totalsOf(onlyRow((await counted.execute(db)).rows))
}

type Connections = Pick<Database, 'db' | 'pool'>

/** Up to this offset the page is read without counting first, because the list is probably long enough. */
const nearOffset = 2_000

function isNear({ criteria, offset }: List): boolean {
  const { filters, sort } = criteria
  const matchesMost = filters.every(({ condition }) => condition.isNegated)
  return matchesMost && offset <= nearOffset && !isDivided(sort.field)
}

/** With so few matches, an index scan in the list's order may visit all rooms before it finds enough of them. */
const rareMatches = 1_000

async function summarisedPage(database: Connections, list: List): Promise<RoomPage> {
  const { criteria, regions, matches, offset, size } = list
  if (isNear(list)) return nearPage(database, list)
  const { db } = database
  const { parts, totals } = await orderParts(db, criteria.sort, matches.where, regions)
  if (totals.rooms <= offset) return { totals, names: [], rows: [] }
  const key = isDivided(criteria.sort.field) ? null : sortKeySql(criteria.sort.field, regions)
  if (key !== null && totals.rooms <= rareMatches)
    return { totals, names: await sortedNames(db, key, list), rows: null }
  const names = await readWindow(db, { parts, direction: criteria.sort.direction, offset, size })
  return { totals, names, rows: null }
}

async function nearPage(
  { db, pool }: Connections,
  { criteria, regions, matches, offset, size }: List,
): Promise<RoomPage> {
  const order = orderSql(sortKeySql(criteria.sort.field, regions), criteria.sort.direction)
  const statement = withRooms(sql`
    select ${sumsOfTotals}, array(
      select name from rooms where ${matches.where} order by ${order} limit ${sql.lit(size)} offset ${sql.lit(offset)}
    ) as names from room_totals where ${matches.where}`)
  return filledPage(await queryPrepared(pool, statement.compile(db)))
}

/** The planner's estimates for adding up the totals. A wrong one only costs time. */
async function expectedMatches(db: Db, { where }: Matches): Promise<{ rooms: number; cost: number }> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Total Cost': number } }] }>`
    explain (format json) select ${countedColumns} from rooms where ${where}`.execute(db)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  return { rooms: plan?.['Plan Rows'] ?? 0, cost: plan?.['Total Cost'] ?? 0 }
}

async function onePassPage(db: Db, { criteria, regions, matches, offset, size }: List): Promise<RoomPage> {
  const key = sortKeySql(criteria.sort.field, regions)
  const statement = withRooms(sql`
    with hits as materialized (select name, ${keyColumn(key)}, ${countedColumns} from rooms where ${matches.where})
    select ${sumsOfRooms}, array(${namesOfHits(key, { criteria, offset, size })}) as names from hits`)
  return filledPage((await statement.execute(db)).rows)
}

async function countedPage(db: Db, list: List): Promise<RoomPage> {
  const { criteria, regions, matches, offset, size } = list
  const totals = await countMatches(db, matches.where)
  if (totals.rooms <= offset) return { totals, names: [], rows: [] }
  const key = sortKeySql(criteria.sort.field, regions)
  const { direction } = criteria.sort
  if (totals.rooms <= list.fewMatches) return { totals, names: await sortedNames(db, key, list), rows: null }
  const whole: Part = { where: matches.where, key, rooms: totals.rooms }
  return { totals, names: await readWindow(db, { parts: [whole], direction, offset, size }), rows: null }
}

/** Finds all matches, keeping only those of the page, which takes about half as long as with their totals. */
async function firstSorted(db: Db, { criteria, regions, matches, offset, size }: List): Promise<string[]> {
  const key = sortKeySql(criteria.sort.field, regions)
  // Without its `offset` the planner may scan the whole order.
  const { rows } = await sql<{ name: string }>`
    with hits as not materialized (select name, ${keyColumn(key)} from rooms where ${matches.where} offset 0)
    ${namesOfHits(key, { criteria, offset, size })}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Materializes and sorts all matches; otherwise the planner may scan the whole order to find these few. */
async function sortedNames(db: Db, key: RawBuilder<unknown> | null, { criteria, matches, offset, size }: List) {
  const { rows } = await sql<{ name: string }>`
    with hits as materialized (select name, ${keyColumn(key)} from rooms where ${matches.where})
    ${namesOfHits(key, { criteria, offset, size })}`.execute(db)
  return rows.map(({ name }) => name)
}

function keyColumn(key: RawBuilder<unknown> | null): RawBuilder<unknown> {
  return sql`${key ?? sql`null`} as key`
}

function namesOfHits(
  key: RawBuilder<unknown> | null,
  { criteria, offset, size }: Pick<List, 'criteria' | 'offset' | 'size'>,
) {
  const order = orderSql(key === null ? null : sql.ref('key'), criteria.sort.direction)
  return sql<{ name: string }>`select name from hits order by ${order} limit ${sql.lit(size)} offset ${sql.lit(offset)}`
}

function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A sum has one row.')
  return row
}
