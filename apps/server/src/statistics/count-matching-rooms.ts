/**
 * Counts the rooms that match a search and filters: from room_totals and room_months if their columns suffice,
 * otherwise from the rooms themselves.
 */
import {
  type Edition,
  editions,
  type Product,
  products,
  type RoomExportQuery,
  type RoomStatistics,
} from '@roomkeeper/contract'
import { sql } from 'kysely'
import { type Database, type Db, queryBuilt, queryRows } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import {
  addTotals,
  countWithoutBackup,
  type Matches,
  matchingRooms,
  sumsOfRooms,
  sumsOfTotals,
  type TotalsRow,
} from '#rooms/index.ts'

export function statisticsHandlers(database: Database): Pick<Handlers, 'roomStatistics'> {
  return { roomStatistics: async ({ query }) => ok(await countMatchingRooms(database, query)) }
}

interface Group {
  product: Product
  edition: Edition
  region: number
}

/** @throws Refusal `invalid-filter` */
export async function countMatchingRooms(database: Database, query: RoomExportQuery): Promise<RoomStatistics> {
  const { db } = database
  const matches = await matchingRooms(db, query)
  const [groups, months, withoutBackup, names] = await Promise.all([
    countGroups(db, matches),
    countMonths(db, matches),
    countWithoutBackup(db, matches.where),
    queryRows<{ id: number; name: string }>(db, 'select id, name from regions order by name collate "und-x-icu", id'),
  ])
  const count = (belongs: (group: Group) => boolean) =>
    groups.filter(belongs).reduce((sum, { rooms }) => sum + rooms, 0)
  return {
    byProduct: products.map((product) => ({ product, rooms: count((group) => group.product === product) })),
    byEdition: editions.map((edition) => ({ edition, rooms: count((group) => group.edition === edition) })),
    byRegion: names
      .map(({ id, name }) => ({ region: id, regionName: name, rooms: count((group) => group.region === id) }))
      .filter(({ rooms }) => rooms > 0),
    createdPerMonth: monthsWithoutGaps(months),
    withoutBackup,
    licenses: addTotals(groups).licences,
  }
}

async function countGroups(db: Db, { where, areSummarised }: Matches): Promise<(Group & TotalsRow)[]> {
  const from = areSummarised ? sql.raw('room_totals') : sql.raw('rooms')
  return queryBuilt<Group & TotalsRow>(
    db,
    sql`select product, edition, region_id as region, ${areSummarised ? sumsOfTotals : sumsOfRooms}
    from ${from} where ${where} group by product, edition, region_id`,
  )
}

async function countMonths(db: Db, { where, areSummarised }: Matches): Promise<MonthCount[]> {
  const counted = areSummarised
    ? sql`select month, sum(rooms)::bigint as rooms from room_months where ${where} group by month having sum(rooms) > 0`
    : sql`select month_of(created_at) as month, count(*) as rooms from rooms where ${where} group by 1`
  return queryBuilt<MonthCount>(
    db,
    sql`select to_char(month, 'YYYY-MM') as month, rooms from (${counted}) as counted order by 1`,
  )
}

interface MonthCount {
  /** Such as `2026-01`. */
  month: string
  rooms: number
}

/** @param counted in chronological order */
function monthsWithoutGaps(counted: readonly MonthCount[]): MonthCount[] {
  const [first, last] = [counted[0], counted.at(-1)]
  if (first === undefined || last === undefined) return []
  const rooms = new Map(counted.map((each) => [each.month, each.rooms]))
  const months: MonthCount[] = []
  for (let month = first.month; month <= last.month; month = monthAfter(month))
    months.push({ month, rooms: rooms.get(month) ?? 0 })
  return months
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 4)}-${String(number + 1).padStart(2, '0')}`
}
