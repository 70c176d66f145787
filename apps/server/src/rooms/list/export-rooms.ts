/** The export: the same rooms in the same order as the list, as CSV. */
import type { Readable } from 'node:stream'
import type { CsvForm, RoomExportQuery } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { exportReader, type Reading } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import { type ExportedRows, statementOf } from '#platform/exports.ts'
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
  { csv, ...query }: RoomExportQuery & { csv: CsvForm },
  reading: Reading,
): Promise<Readable> {
  const reader = exportReader(database.db, 'export.rooms', query, reading)
  return database.exports.csv(await exportedRows(database, query, csv), reader, csv)
}

/** The statement whose rows are exported. It has no parameters. */
export async function exportStatement(database: Database, query: RoomExportQuery): Promise<string> {
  return statementOf(await exportedRows(database, query, 'programs'))
}

async function exportedRows({ db }: Database, query: RoomExportQuery, form: CsvForm): Promise<ExportedRows> {
  const criteria = parseRoomQuery(query)
  const regions = await readListRegions(db)
  const { where } = matchesOf(criteria, regions)
  const order = orderSql(sortKeySql(criteria.sort.field, regions), criteria.sort.direction)
  const text = (part: RawBuilder<unknown>) => {
    // The plugins would change the titles of the columns.
    const compiled = part.compile(db.withoutPlugins())
    return withoutParameters(compiled.sql, compiled.parameters)
  }
  return {
    columns: text(sql`${exportColumns(regions, form)}`),
    from: text(sql`rooms where ${where}`),
    order: text(sql`${order}`),
  }
}

/** COPY takes no parameters, so the search texts become literals. */
function withoutParameters(text: string, parameters: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]))
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join(',')}]`
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value))
}
