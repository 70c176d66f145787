/** Every column that the list can be sorted or filtered by, asked for the first rows and for the total. */
import { type RoomField, type RoomFieldEntry, roomFieldCatalogue, roomFields } from '@roomkeeper/contract'
import type pg from 'pg'
import type { Caller } from '../http-call.ts'
import type { Contest } from '../measure.ts'
import { firstRows, totals } from './bare-sql.ts'

/** What the product answers in two calls, as the console makes them. */
export interface ColumnContest {
  name: string
  rows: Contest
  /** Null if the totals are those of all rooms, which are kept. */
  total: Contest | null
}

type Query = Record<string, string>

export function columnContests(caller: Caller, database: pg.Client): ColumnContest[] {
  const contest = (name: string, query: Query, sql: string): Contest => ({
    name,
    product: () => caller.post(`/api/operator/get_tenants?${new URLSearchParams(query)}`),
    bare: () => database.query(sql),
  })
  const sorted = roomFields.flatMap((field) =>
    (['asc', 'desc'] as const).map((way) => {
      const query = { order_by: field, order_dir: way, totals: 'if-quick' }
      const name = `sorted by ${field} ${way}`
      return { name, rows: contest(name, query, firstRows({ where: 'true', order: orderBy(field, way) })), total: null }
    }),
  )
  const steel = `search like '%steel%'`
  const searched = roomFields.map((field) => {
    const query = { search: 'steel', order_by: field, totals: 'if-quick' }
    const name = `search, common, sorted by ${field}`
    return { name, rows: contest(name, query, firstRows({ where: steel, order: orderBy(field, 'desc') })), total: null }
  })
  const filtered = filters.map(({ field, condition, value, where, sortedBy = 'tenantName' }) => {
    const query = { filter_keys: field, filter_conditions: condition, filter_values: value, order_by: sortedBy }
    const name = `${field} ${condition} ${value}${sortedBy === 'tenantName' ? '' : ', sorted by it'}`
    return {
      name,
      rows: contest(name, { ...query, totals: 'if-quick' }, firstRows({ where, order: orderBy(sortedBy, 'desc') })),
      total: contest(name, { ...query, totals: 'only' }, totals({ where })),
    }
  })
  return [...sorted, ...searched, ...filtered]
}

const dictionary = (column: string) => `${column} collate "und-x-icu"`

function orderBy(field: RoomField, way: 'asc' | 'desc'): string {
  const key = sortKey(field)
  return key === null ? `name ${way}` : `${key} ${way}, name ${way}`
}

/** What rooms are ordered by before their names. */
function sortKey(field: RoomField): string | null {
  const own = ownSortKeys[field]
  if (own !== undefined) return own
  const entries: Readonly<Record<string, RoomFieldEntry>> = roomFieldCatalogue
  const { column = field, comparedAs } = entries[field] ?? {}
  const name = column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return comparedAs?.kind === 'text' && comparedAs.order === 'dictionary' ? dictionary(name) : name
}

const ownSortKeys: Partial<Record<RoomField, string | null>> = {
  tenantName: null,
  regionName: 'region_id',
  lastBackup: 'last_backup_at',
  customer: dictionary('customer_key'),
  failureCause: `case when state = 'ERROR' then error_reasons -> 0 ->> 'code' end`,
}

const withoutBackup = `last_backup_at < '2026-01-01'`

interface Filter {
  field: RoomField
  condition: string
  value: string
  where: string
  sortedBy?: RoomField
}

/** A part that many rooms hold. */
const texts: [RoomField, string, string][] = [
  ['tenantName', 'name', 'steel'],
  ['customerFirstName', 'customer_first_name', 'ann'],
  ['customerLastName', 'customer_last_name', 'ber'],
  ['customerEmail', 'customer_email', 'ann'],
  ['companyName', 'company_name', 'pharma'],
  ['additionalEmail', 'additional_email', 'ann'],
  ['sapNumber', 'sap_number', '460001'],
  ['sapNumberLast', 'sap_number_last', '47'],
  ['salesman', 'salesman', 'ann'],
  ['salesmanEmail', 'salesman_email', 'ann'],
]

const filters: Filter[] = [
  ...texts.flatMap(([field, column, part]): Filter[] => {
    const contains = (value: string) => ({
      field,
      condition: 'CONTAINS',
      value,
      where: `lower(${column}) like '%${value}%'`,
    })
    return [
      ...[part, 'zo'].map(contains),
      { field, condition: 'STARTS_WITH', value: part, where: `lower(${column}) like '${part}%'` },
      { field, condition: 'NOT_CONTAINS', value: part, where: `(lower(${column}) like '%${part}%') is not true` },
      { field, condition: 'EQUALS', value: part, where: `lower(${column}) = '${part}'` },
      { field, condition: 'LT', value: part, where: `${sortKey(field) ?? column} < '${part}'` },
    ]
  }),
  ...dates('creationDate', 'created_at'),
  ...dates('expirationDate', 'expiration_date'),
  { field: 'lastBackup', condition: 'EQUALS', value: 'null', where: withoutBackup },
  { field: 'lastBackup', condition: 'BEFORE', value: '2026-01-01', where: withoutBackup },
  ...(['EQUALS', 'GT'] as const).map((condition): Filter => {
    return { field: 'priority', condition, value: '1', where: `priority ${condition === 'GT' ? '>' : '='} 1` }
  }),
  { field: 'region', condition: 'EQUALS', value: '1', where: 'region_id = 1' },
  { field: 'regionName', condition: 'CONTAINS', value: 'seed', where: 'true' },
  { field: 'product', condition: 'EQUALS', value: '1', where: `product = 'MINING'` },
  { field: 'edition', condition: 'EQUALS', value: '1', where: `edition = 'advanced'` },
  { field: 'productType', condition: 'EQUALS', value: '1', where: `sales_channel = 'online-shop'` },
  { field: 'projectRoomState', condition: 'EQUALS', value: 'ERROR', where: `state = 'ERROR'` },
  {
    field: 'failureCause',
    condition: 'EQUALS',
    value: 'no-space',
    where: `state = 'ERROR' and error_reasons -> 0 ->> 'code' = 'region-storage-full'`,
  },
  { field: 'state', condition: 'EQUALS', value: 'SUSPENDED', where: `state = 'SUSPENDED'` },
  { field: 'subMiningType', condition: 'EQUALS', value: 'NONE', where: `sub_mining_type = 'NONE'` },
  { field: 'subMiningType', condition: 'EQUALS', value: 'MINING_BASIC', where: `sub_mining_type = 'MINING_BASIC'` },
]

function dates(field: 'creationDate' | 'expirationDate', column: string): Filter[] {
  return [
    ['BEFORE', '2024-06-01', '<'],
    ['AFTER', '2026-12-01', '>='],
  ].flatMap(([condition = '', value = '', sign]) => {
    const filter = { field, condition, value, where: `${column} ${sign} '${value}'` }
    return [filter, { ...filter, sortedBy: field }]
  })
}
