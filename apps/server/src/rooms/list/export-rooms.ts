/** The export: the same rooms in the same order as the list, as CSV. */
import type { Readable } from 'node:stream'
import {
  type CsvForm,
  type Edition,
  type ExportColumn,
  type LicenceTotalKey,
  licenceTotalKeys,
  type Product,
  type ProjectRoomState,
  type RoomExportQuery,
  type RoomFieldName,
  roomFieldCatalogue,
  roomFieldsWith,
  type SalesChannel,
  type SubMiningType,
} from '@roomkeeper/contract'
import { defused } from '@roomkeeper/rules'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { exportReader, type Reading } from '#operators/index.ts'
import { columnOf } from '#platform/column-names.ts'
import { defusedSql, timeSql } from '#platform/csv.ts'
import type { Database } from '#platform/database.ts'
import { type ExportedRows, statementOf } from '#platform/exports.ts'
import { columnOfField } from '../room-field-columns.ts'
import { orderSql, sortKeySql } from './list-rooms.ts'
import { noBackup, parseRoomQuery } from './query.ts'
import { type ListRegions, matchesOf, readListRegions, shownStateSql } from './where.ts'

export type RoomExport = RoomExportQuery & ExportForm

interface ExportForm {
  csv: CsvForm
  /** Absent: all. */
  columns?: readonly ExportColumn[] | undefined
}

/**
 * CSV in UTF-8 with a header row. Destroying the stream cancels the statement.
 * @throws Refusal `invalid-filter`, `too-many-exports`, `too-many-own-exports`
 */
export async function exportRooms(
  database: Database,
  { csv, columns, ...query }: RoomExport,
  reading: Reading,
): Promise<Readable> {
  const reader = exportReader(database.db, 'export.rooms', query, reading)
  return database.exports.csv(await exportedRows(database, query, { csv, columns }), reader, csv)
}

/** The statement whose rows are exported. It has no parameters. */
export async function exportStatement(database: Database, query: RoomExportQuery): Promise<string> {
  return statementOf(await exportedRows(database, query, { csv: 'programs' }))
}

async function exportedRows({ db }: Database, query: RoomExportQuery, form: ExportForm): Promise<ExportedRows> {
  const criteria = parseRoomQuery(query)
  const regions = await readListRegions(db)
  const { where } = matchesOf(criteria, regions)
  const { field, direction } = criteria.sort
  const text = (part: RawBuilder<unknown>) => {
    const compiled = part.compile(db)
    return withoutParameters(compiled.sql, compiled.parameters)
  }
  return {
    columns: text(sql`${selectedColumns(regions, form)}`),
    from: text(sql`rooms where ${where}`),
    order: text(orderSql({ key: sortKeySql(field, regions), direction })),
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

const products: Record<Product, string> = { ARIS: 'ARIS', MINING: 'MINING', ENTERPRISE: 'ENTERPRISE' }
const editions: Record<Edition, string> = {
  basic: 'Basic',
  advanced: 'Advanced',
  enterprise: 'Enterprise',
  'advanced-base-extension': 'Advanced incl. Base Extension',
  'enterprise-shared': 'Enterprise shared',
}
const salesChannels: Record<SalesChannel, string> = { 'direct-sales': 'Direct Sales', 'online-shop': 'Online Shop' }
const states: Record<ProjectRoomState, string> = {
  DEFAULT: 'Active',
  MARKED_FOR_DELETION: 'On deleting',
  ERROR: 'Error',
  DISABLED_REGION: 'Disabled region',
  SUSPENDED: 'Suspended',
  IN_PROGRESS: 'In progress',
}
const subMiningTypes: Record<SubMiningType, string> = {
  NONE: '',
  MINING_BASIC: 'MINING_BASIC',
  MINING_ENTERPRISE: 'MINING_ENTERPRISE',
}
const licences: Record<LicenceTotalKey, string> = {
  designers: 'Designers',
  viewers: 'Viewers',
  architects: 'Architects',
  epBus: 'EP business strategy',
  epEam: 'EP EAM',
  designersSap: 'Designers SAP',
  architectsSap: 'Architects SAP',
  yukonDataVolume: 'Data volume (GB)',
  aiCredits: 'AI credits',
  yukonViewer: 'Mining viewers',
  yukonEngineer: 'Mining engineers',
  yukonAnalyst: 'Mining analysts',
  esDesigner: 'Enterprise designers',
  esViewer: 'Enterprise viewers',
  esViewerPro: 'Enterprise viewers pro',
  esAdmin: 'Enterprise admins',
}

/** The select list for `select … from rooms`. */
function selectedColumns(regions: ListRegions, { csv, columns: chosen }: ExportForm): RawBuilder<unknown> {
  const secondOf = (column: string) => sql.raw<string>(timeSql(column, csv))
  const written = { ...specialColumns(regions), creationDate: secondOf('created_at') }
  const all: [ExportColumn, string, RawBuilder<unknown>][] = [
    ...roomFieldsWith('exportTitle').map((field): (typeof all)[number] => [
      field,
      roomFieldCatalogue[field].exportTitle,
      written[field] ?? text(columnOf(columnOfField(field))),
    ]),
    ['lastBackupAt', 'Last backup', secondOf(`nullif(last_backup_at, '${noBackup}')`)],
    ['lastBackupVerifiedAt', 'Last backup restored in a test', secondOf('last_backup_restored_at')],
    [
      'labels',
      'Labels',
      sql`case when labels <> '{}' then ${sql.raw(defusedSql(`array_to_string(labels, ', ')`))} else '' end`,
    ],
    ...licenceTotalKeys.map((key): (typeof all)[number] => [key, licences[key], sql.ref(columnOf(key))]),
  ]
  const columns = chosen === undefined ? all : [...new Set(chosen)].flatMap((id) => all.filter(([each]) => each === id))
  return sql.join(columns.map(([, label, value]) => sql`${value} as ${sql.ref(label)}`))
}

/** Fields that are written in another way, because they are not text or cannot contain a formula. */
function specialColumns(regions: ListRegions): Partial<Record<RoomFieldName, RawBuilder<unknown>>> {
  return {
    product: labelled('product', products),
    tenantName: sql.ref('name'),
    edition: labelled('edition', editions),
    productType: labelled('sales_channel', salesChannels),
    region: regionName(regions),
    expirationDate: sql`coalesce(expiration_date::text, 'Unlimited')`,
    projectRoomState: sql`case ${shownStateSql(regions)} ${cases(states)} end`,
    subMiningType: labelled('sub_mining_type', subMiningTypes),
  }
}

function text(column: string): RawBuilder<string> {
  return sql.raw(defusedSql(`"${column}"`))
}

function labelled(column: string, labels: Record<string, string>): RawBuilder<string> {
  return sql`case ${sql.ref(column)} ${cases(labels)} end`
}

function cases(labels: Record<string, string>): RawBuilder<unknown> {
  return sql.join(
    Object.entries(labels).map(([name, label]) => sql`when ${sql.lit(name)} then ${sql.lit(label)}`),
    sql` `,
  )
}

/** There are few regions, so the statement itself contains their names. */
function regionName({ ordered }: ListRegions): RawBuilder<string> {
  if (ordered.length === 0) return sql`''`
  const names = ordered.map(({ id, name }) => sql`when ${sql.lit(id)} then ${defused(name)}`)
  return sql`case region_id ${sql.join(names, sql` `)} end`
}
