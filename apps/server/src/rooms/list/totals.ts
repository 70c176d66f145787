/** The number of matching rooms and the sums of their licences, from `room_totals` or by counting `rooms`. */
import { type LicenceTotalKey, type LicenceTotals, licenceTotalKeys, type Overview } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '#platform/column-names.ts'
import { type Db, queryBuilt, queryRows } from '#platform/database.ts'

export interface Totals {
  rooms: number
  licences: LicenceTotals
}

/** The row that a statement with `sumsOfRooms` or `sumsOfTotals` returns. */
export type TotalsRow = { rooms: number } & Record<LicenceTotalKey, number>

/** The columns that count licences, in both `rooms` and `room_totals`. */
const columns = licenceTotalKeys.map((key) => ({ key, column: columnOf(key) }))

/** The columns of `rooms` that `sumsOfRooms` adds up. Raw SQL, built once, because every statement contains it. */
export const countedColumns: RawBuilder<unknown> = sql.raw(columns.map(({ column }) => column).join(', '))

const sums = columns.map(({ key, column }) => `coalesce(sum(${column}), 0)::bigint as "${key}"`).join(', ')
export const sumsOfRooms: RawBuilder<unknown> = sql.raw(`count(*) as rooms, ${sums}`)
export const sumsOfTotals: RawBuilder<unknown> = sql.raw(`coalesce(sum(rooms), 0)::bigint as rooms, ${sums}`)

/** A TotalsRow as JSON, from the common table expression of this name. */
export function totalsAsJson(name: string): RawBuilder<TotalsRow> {
  const members = ['rooms', ...licenceTotalKeys].map((key) => `'${key}', ${name}."${key}"`)
  return sql.raw(`json_build_object(${members.join(', ')})`)
}

export function totalsOf(row: TotalsRow): Totals {
  return { rooms: row.rooms, licences: licencesOf((key) => row[key]) }
}

export function addTotals(rows: readonly TotalsRow[]): Totals {
  const add = (pick: (row: TotalsRow) => number) => rows.reduce((sum, row) => sum + pick(row), 0)
  return { rooms: add((row) => row.rooms), licences: licencesOf((key) => add((row) => row[key])) }
}

function licencesOf(count: (key: LicenceTotalKey) => number): LicenceTotals {
  return Object.fromEntries(licenceTotalKeys.map((key) => [key, count(key)])) as LicenceTotals
}

const count = (name: keyof Overview, condition: string) =>
  `coalesce(sum(rooms) filter (where ${condition}), 0)::bigint as "${name}"`

const overview = `select ${[
  count('directSales', `sales_channel = 'direct-sales'`),
  count('onlineShop', `sales_channel = 'online-shop'`),
  count('elements', `edition = 'basic'`),
  count('advanced', `edition = 'advanced'`),
  count('enterprise', `edition = 'enterprise'`),
  count('enterpriseLight', `edition = 'advanced-base-extension'`),
  count('aris', `product = 'ARIS'`),
  count('yukon', `product = 'MINING'`),
  count('enterpriseShared', `edition = 'enterprise-shared'`),
].join(', ')} from room_totals`

/** Counts of all rooms by sales channel, edition and product. */
export async function readOverview(db: Db): Promise<Overview> {
  const [counts] = await queryRows<Overview>(db, overview)
  if (counts === undefined) throw new Error('A sum has one row.')
  return counts
}

const days = [1, 7, 30] as const

/**
 * How many rooms have no backup younger than so many days: the same figure for the statistics and the metrics.
 * @param where on `rooms`. An index alone answers it where it is about what `room_totals` has.
 */
export async function countWithoutBackup(
  db: Db,
  where: RawBuilder<boolean>,
): Promise<{ days: number; rooms: number }[]> {
  const counts = days.map((each) => {
    return sql`count(*) filter (where last_backup_at <= now() - make_interval(days => ${sql.lit(each)}))`
  })
  const rows = await queryBuilt<{ counts: string[] }>(
    db,
    sql`select array[${sql.join(counts)}]::text[] as counts from rooms where ${where}`,
  )
  return days.map((each, index) => ({ days: each, rooms: Number(rows[0]?.counts[index]) }))
}
