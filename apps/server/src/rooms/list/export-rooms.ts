/** The export: the same rooms in the same order as the list, as CSV. */
import type { Readable } from 'node:stream'
import type { CsvForm, RoomExportQuery } from '@roomkeeper/contract'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '#platform/database.ts'
import { parseRoomQuery } from './criteria.ts'
import { exportColumns } from './export-columns.ts'
import { matchesOf } from './matches.ts'
import { orderSql, sortKeySql } from './orders.ts'
import { readListRegions } from './regions.ts'

/**
 * CSV in UTF-8 with a header row. Destroying the stream cancels the statement.
 * @throws Refusal `invalid-filter`, `too-many-exports`, `too-many-own-exports`
 */
export async function exportRooms(
  database: Database,
  query: RoomExportQuery & { csv: CsvForm },
  operatorId: string,
): Promise<Readable> {
  return database.exports.csv(await exportStatement(database, query, query.csv), operatorId, query.csv)
}

/** The statement whose rows are exported. It has no parameters. */
export async function exportStatement(
  { db }: Database,
  query: RoomExportQuery,
  form: CsvForm = 'programs',
): Promise<string> {
  const criteria = parseRoomQuery(query)
  const regions = await readListRegions(db)
  const { where } = matchesOf(criteria, regions)
  const order = orderSql(sortKeySql(criteria.sort.field, regions), criteria.sort.direction)
  const statement = sql`select ${exportColumns(regions, form)} from rooms where ${where} order by ${order}`.compile(
    // The plugins would change the titles of the columns.
    db.withoutPlugins(),
  )
  return withoutParameters(statement.sql, statement.parameters)
}

/** COPY takes no parameters, so the search texts become literals. */
function withoutParameters(text: string, parameters: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]))
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join(',')}]`
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value))
}
