/** The number of matching rooms and the sums of their licences, from `room_totals` or by counting `rooms`. */
import { type LicenceTotalKey, type LicenceTotals, licenceTotalKeys } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '#platform/column-names.ts'

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
