/**
 * Reads a page of the list and the totals over all matches, in one of three ways:
 * - Summarised: `room_totals` has the totals and the size of each part of the order, and the page is read along it.
 * - Few matches: one pass over them gives both the page and the totals.
 * - Many matches: one statement counts them, another reads the page along its order.
 * A caller that can wait for the totals gets the first rows without them where they would cost much.
 */
import type { RoomField, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Database, type Db, queryBuilt, queryRows } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { hasPinnedNoteSql } from '../notes/pinned-notes.ts'
import { comparesText, type Direction, fields, parseRoomQuery, type RoomCriteria, type RoomFilter } from './query.ts'
import { presentRoom, type RoomRow, roomsNamed, selectRoomsByName } from './room-rows.ts'
import {
  addTotals,
  countedColumns,
  sumsOfRooms,
  sumsOfTotals,
  type Totals,
  type TotalsRow,
  totalsAsJson,
  totalsOf,
} from './totals.ts'
import {
  customerSql,
  failureCauseSql,
  filterSql,
  isIn,
  isShownAs,
  type ListRegions,
  type Matches,
  matchesOf,
  regionRankSql,
  regionsFor,
  shownStateSql,
} from './where.ts'

/** Limits; tests set others. */
const usualLimits = {
  /** Up to so many matches are held in memory to get page and totals in one pass. */
  fewMatches: 100_000,
  /** If finding all matches costs more than this, in the planner's units, the first rows may come without totals. */
  quickCost: 20_000,
  /**
   * More rooms than this are never walked along: ten to twenty milliseconds. What the planner expects is not asked,
   * because for parts of texts it is often a hundred times too low.
   */
  mostWalked: 10_000,
}

/** @throws Refusal `invalid-filter` */
export async function listRooms(
  database: Database,
  query: RoomListQuery,
  given: Partial<typeof usualLimits> = {},
): Promise<RoomList> {
  const criteria = parseRoomQuery(query)
  const regions = await regionsFor(criteria, database.db)
  if (query.totals === 'only')
    return { data: [], ...presentTotals(await readTotals(database, matchesOf(criteria, regions)), query.size) }
  const limits = { ...usualLimits, ...given, mayOmitTotals: query.totals === 'if-quick' }
  const { totals, rows } = await readPage(database, { criteria, regions, page: query.page, size: query.size }, limits)
  const data = rows.map(presentRoom)
  if (totals === null) return { data, totalElements: null, totalPages: null, licenses: null }
  return { data, ...presentTotals(totals, query.size) }
}

/** A page as rows, for callers that present rooms differently. */
export async function readRooms(database: Database, wanted: WantedPage) {
  const { totals, rows } = await readPage(database, wanted, { ...usualLimits, mayOmitTotals: false })
  if (totals === null) throw new Error('The totals were asked for.')
  const { totalElements, totalPages } = presentTotals(totals, wanted.size)
  return { rows, totalElements, totalPages }
}

function presentTotals({ rooms, licences }: Totals, size: number) {
  return { totalElements: rooms, totalPages: Math.ceil(rooms / size), licenses: licences }
}

interface WantedPage {
  criteria: RoomCriteria
  regions: ListRegions
  /** Counts from 0. */
  page: number
  size: number
}

/** A page of the rooms that match, as it is searched for. */
interface List extends Matches, Pick<WantedPage, 'criteria' | 'regions' | 'size'> {
  /** What rooms are ordered by before their name; null if by name only. */
  key: RawBuilder<unknown> | null
  direction: Direction
  offset: number
}

/** Up to this offset a page is read without counting first, because the list is probably long enough. */
const nearOffset = 2_000

async function readPage(
  { db }: Database,
  { criteria, regions, page, size }: WantedPage,
  limits: typeof usualLimits & { mayOmitTotals: boolean },
): Promise<{ totals: Totals | null; rows: RoomRow[] }> {
  const { field, direction } = criteria.sort
  const key = sortKeySql(field, regions)
  const list = { ...matchesOf(criteria, regions), criteria, regions, key, direction, offset: page * size, size }
  const { where, areSummarised, offset } = list
  const withRows = async (totals: Totals | null, names: string[]) => {
    return { totals, rows: names.length === 0 ? [] : await queryRows<RoomRow>(db, selectRoomsByName, [names]) }
  }
  if (areSummarised) {
    const matchesMost = criteria.filters.every(({ condition }) => condition.isNegated)
    if (matchesMost && offset <= nearOffset && divisionBy(field, regions) === null) return nearPage(db, list)
    const { totals, names } = await summarisedPage(db, list)
    return withRows(totals, names)
  }
  const expected = await expectedMatches(db, where)
  if (limits.mayOmitTotals && expected.cost > limits.quickCost && offset <= nearOffset) {
    const names = (await firstNames(db, list, limits.mostWalked)) ?? (await sortedNames(db, list))
    if (names.length === size) return withRows(null, names)
    if (offset === 0) return withRows(await countMatches(db, sql`name = any(${names}::text[])`), names)
  }
  if (expected.rooms <= limits.fewMatches) return onePassPage(db, list)
  const totals = await countMatches(db, where)
  if (totals.rooms <= limits.fewMatches) return withRows(totals, await sortedNames(db, list))
  return withRows(totals, await readWindow(db, [{ where, key, rooms: totals.rooms }], list))
}

async function readTotals({ db }: Database, { where, areSummarised }: Matches): Promise<Totals> {
  if (!areSummarised) return countMatches(db, where)
  const summed = sql<TotalsRow>`select ${sumsOfTotals} from room_totals where ${where}`
  return totalsOf(onlyRow(await queryBuilt(db, summed)))
}

async function countMatches(db: Db, where: RawBuilder<boolean>): Promise<Totals> {
  return totalsOf(onlyRow(await queryBuilt<TotalsRow>(db, sql`select ${sumsOfRooms} from rooms where ${where}`)))
}

/** The planner's estimates for adding up the totals. A wrong one only costs time. */
async function expectedMatches(db: Db, where: RawBuilder<boolean>): Promise<{ rooms: number; cost: number }> {
  const found = await queryBuilt<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Total Cost': number } }] }>(
    db,
    sql`explain (format json) select ${countedColumns} from rooms where ${where}`,
  )
  const plan = onlyRow(found)['QUERY PLAN'][0].Plan
  return { rooms: plan['Plan Rows'], cost: plan['Total Cost'] }
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The statement has one row.')
  return row
}

/** One statement, because most pages that are asked for are such. */
async function nearPage(db: Db, list: List) {
  const { where } = list
  const names = sql`array(select name from rooms where ${where} ${orderBy(list)})`
  const statement = withRooms(sql`select ${sumsOfTotals}, ${names} as names from room_totals where ${where}`)
  return filledPage((await db.executeQuery(preparedIfFrequent(statement.compile(db)))).rows)
}

const mostPrepared = 50
const frequent = new Set<string>()

/** Parsing and planning takes half of the time for the first page. Only pages without parameters are asked for often. */
function preparedIfFrequent<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  const { sql: text, parameters } = statement
  if (parameters.length === 0 && frequent.size < mostPrepared) frequent.add(prepared(text))
  return statement
}

async function onePassPage(db: Db, list: List) {
  const statement = withRooms(sql`
    with hits as materialized (select name, ${list.key ?? sql`null`} as key, ${countedColumns} from rooms where ${list.where})
    select ${sumsOfRooms}, array(select name from hits ${orderBy(list, 'key')}) as names from hits`)
  return filledPage(await queryBuilt(db, statement))
}

/** The totals stand in the first row only: to write and read them in each would cost more than the rooms' own numbers. */
type FilledRow = { totals: TotalsRow | null } & (RoomRow | { name: null })

/**
 * Reads the rooms together with the totals, which is cheaper than a second query.
 * @param answer a statement that returns one row with the columns of a TotalsRow and the array `names`
 */
function withRooms(answer: RawBuilder<unknown>): RawBuilder<FilledRow> {
  return sql<FilledRow>`
    with answer as materialized (${answer})
    select case when filled.position is null or filled.position = 1 then ${totalsAsJson('answer')} end as totals, filled.*
    from answer left join lateral (${sql.raw(roomsNamed('answer.names'))}) as filled on true order by filled.position`
}

function filledPage(filled: readonly FilledRow[]): { totals: Totals; rows: RoomRow[] } {
  const [first] = filled
  if (first === undefined || first.totals === null) throw new Error('A sum has one row.')
  const rows = filled.filter((row): row is RoomRow & { totals: TotalsRow | null } => row.name !== null)
  return { totals: totalsOf(first.totals), rows }
}

/** Finds all matches and sorts them: `offset 0` keeps the planner from walking along the whole order to find a few. */
async function sortedNames(db: Db, list: List): Promise<string[]> {
  const rows = await queryBuilt<{ name: string }>(
    db,
    sql`select name from (select name, ${list.key ?? sql`null`} as key from rooms where ${list.where} offset 0) as hits
    ${orderBy(list, 'key')}`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Walks along the index of the order until the page is full. Where matches are rare in this part of the order, the walk
 * is given up, because it could go on to the last room.
 * @returns null if the page did not become full, or if there is no such index
 */
async function firstNames(db: Db, list: List, mostWalked: number): Promise<string[] | null> {
  const { filters, sort: by } = list.criteria
  if (!indexedOrders.includes(by.field)) return null
  // Callers that read a long list go on after the last name that they have: the walk begins there.
  const bounds = filters.filter((each) => each.field === by.field && isBound(each))
  const from = sql.join([sql`true`, ...bounds.map((bound) => filterSql(bound, list.regions))], sql` and `)
  // The inner limit keeps the planner to the index, and the outer one ends the walk.
  const walked = sql`select * from rooms where ${from} order by ${orderSql(list)} limit ${sql.lit(mostWalked)}`
  const rows = await queryBuilt<{ name: string }>(
    db,
    sql`select name from (${walked}) as rooms where ${list.where} ${orderBy(list)}`,
  )
  return rows.length === list.size ? rows.map(({ name }) => name) : null
}

function isBound({ field, condition: { operator, isNegated, values } }: RoomFilter): boolean {
  if (isNegated || values.length > 1 || comparesText(operator)) return false
  return operator !== 'equals' || fields[field].kind !== 'text'
}

/** A part of an ordered list whose size is known. */
interface Part {
  where: RawBuilder<boolean>
  key: RawBuilder<unknown> | null
  rooms: number
}

/** With so few matches, an index scan in the list's order may visit all rooms before it finds enough of them. */
const rareMatches = 1_000

async function summarisedPage(db: Db, list: List): Promise<{ totals: Totals; names: string[] }> {
  const { where, key, offset, direction, regions } = list
  const division = divisionBy(list.criteria.sort.field, regions)
  const rows = await queryBuilt<TotalsRow & { value: string | number }>(
    db,
    sql`select ${division?.value ?? sql`0`} as value, ${sumsOfTotals} from room_totals where ${where} group by 1`,
  )
  const totals = addTotals(rows)
  if (totals.rooms <= offset) return { totals, names: [] }
  if (division === null) {
    const isRare = key !== null && totals.rooms <= rareMatches
    const names = isRare ? sortedNames(db, list) : readWindow(db, [{ where, key, rooms: totals.rooms }], list)
    return { totals, names: await names }
  }
  const parts = division.values.map((value): Part => {
    const rooms = rows.find((row) => row.value === value)?.rooms ?? 0
    return { where: sql`${where} and ${division.holds(value as never)}`, key: null, rooms }
  })
  return { totals, names: await readWindow(db, direction === 'asc' ? parts : parts.reverse(), list) }
}

/** Reads only the parts that overlap the page, each from its nearer end. @param parts in the direction of the list */
async function readWindow(db: Db, parts: readonly Part[], { direction, offset, size }: List): Promise<string[]> {
  const names: string[] = []
  let before = 0
  for (const part of parts) {
    const from = Math.max(offset - before, 0)
    const count = Math.min(part.rooms - from, size - names.length)
    if (count > 0) names.push(...(await readSlice(db, part, { direction, from, count })))
    before += part.rooms
    if (names.length >= size) break
  }
  return names
}

async function readSlice(
  db: Db,
  { where, key, rooms }: Part,
  { direction, from, count }: { direction: Direction; from: number; count: number },
): Promise<string[]> {
  const fromEnd = rooms - from - count
  const isNearerToEnd = fromEnd < from
  const way = isNearerToEnd ? ({ asc: 'desc', desc: 'asc' } as const)[direction] : direction
  const slice = orderBy({ key, direction: way, offset: isNearerToEnd ? fromEnd : from, size: count })
  const found = await queryBuilt<{ name: string }>(db, sql`select name from rooms where ${where} ${slice}`)
  const names = found.map(({ name }) => name)
  return isNearerToEnd ? names.reverse() : names
}

interface Division {
  value: RawBuilder<string | number>
  /** In ascending order. */
  values: readonly (string | number)[]
  holds(value: string | number): RawBuilder<boolean>
}

/** The parts, each ordered by name, of a list in the order of a closed set that `room_totals` has; null: another order. */
function divisionBy(field: RoomField, regions: ListRegions): Division | null {
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

/** The orders in which an index of the schema has all rooms. */
export const indexedOrders: readonly RoomField[] = [
  'tenantName',
  'customerLastName',
  'creationDate',
  'expirationDate',
  'lastBackup',
]

/** What rooms are ordered by before their name; null if by name only. */
export function sortKeySql(field: RoomField, regions: ListRegions): RawBuilder<unknown> | null {
  if (field === 'tenantName') return null
  const found = fields[field]
  if (field === 'region' || found.kind === 'region-name') return regionRankSql(regions)
  if (found.kind === 'shown-state') {
    const names = found.members.map(({ name }) => sql.lit(name))
    return sql`array_position(array[${sql.join(names)}], ${shownStateSql(regions)})`
  }
  if (found.kind === 'failure-cause') {
    const causes = found.members.map(({ name }) => sql.lit(name))
    return sql`array_position(array[${sql.join(causes)}], ${failureCauseSql})`
  }
  if (found.kind === 'customer') return sql`${customerSql} collate "und-x-icu"`
  if (found.kind === 'labels') return sql`nullif(array_to_string(labels, ', '), '') collate "und-x-icu"`
  if (found.kind === 'pinned-note') return hasPinnedNoteSql
  const isInDictionary = found.kind === 'text' && found.order === 'dictionary'
  return isInDictionary ? sql`${sql.ref(found.column)} collate "und-x-icu"` : sql.ref(found.column)
}

type Order = Pick<List, 'key' | 'direction'>

/** For `order by`. NULLs come last in ascending and first in descending order, as in PostgreSQL's indexes. */
export function orderSql({ key, direction }: Order): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return key === null ? sql`name ${way}` : sql`${key} ${way}, name ${way}`
}

/** @param column which has the key already, if any */
function orderBy({ key, direction, size, offset }: Order & Pick<List, 'size' | 'offset'>, column?: string) {
  const by = key === null || column === undefined ? key : sql.ref(column)
  return sql`order by ${orderSql({ key: by, direction })} limit ${sql.lit(size)} offset ${sql.lit(offset)}`
}
