/** The search of a list of rooms as the request of the wire. */
import {
  editionCodes,
  type FilterCondition,
  longestSearch,
  productCodes,
  type RoomExportQuery,
  type RoomField,
  type RoomListQuery,
  salesChannelCodes,
} from '@roomkeeper/contract'
import { dayInUtc } from '@roomkeeper/rules'
import { type RoomColumn, type RoomFilters, type RoomsSearch, type Scope, sortOf, type TableSearch } from './search.ts'

/**
 * One page of the rooms of a query. Totals that take long are fetched after the rows: see queries.ts.
 * @param defaultSize rows per page if the URL does not say
 */
export function pageQueryOf(
  { page = 1, size }: TableSearch,
  defaultSize: number,
  query: RoomExportQuery,
): RoomListQuery {
  return { page: page - 1, size: size ?? defaultSize, totals: 'if-quick', ...query }
}

/** The rooms that a search of the list asks for. */
export function roomQueryOf(search: RoomsSearch): RoomExportQuery {
  const hidden: Filter = { field: 'projectRoomState', value: 'ERROR', condition: 'NOT_EQUALS' }
  return requestOf(search, [...filtersOf(search), ...(search.hideFailed === true ? [hidden] : [])])
}

function filtersOf({
  product,
  edition,
  channel,
  region,
  status,
  cause,
  created,
  expires,
  backup,
  backupWithin,
  company,
  customer,
  labels,
  pinned,
}: RoomFilters): Filter[] {
  const oneOf = (field: RoomField, values: string | undefined, codes?: Readonly<Record<string, number>>): Filter[] => {
    const wire = values?.split(',').map((each) => codes?.[each] ?? each)
    return wire === undefined ? [] : [{ field, value: wire.join('||'), condition: 'EQUALS' }]
  }
  return [
    ...oneOf('product', product, productCodes),
    ...oneOf('edition', edition, editionCodes),
    ...oneOf('productType', channel, salesChannelCodes),
    ...oneOf('region', region),
    ...oneOf('projectRoomState', status),
    ...oneOf('failureCause', cause),
    ...(created === undefined ? [] : monthFilters(created)),
    ...(expires === undefined ? [] : expiryFilters(expires)),
    ...(backup === undefined ? [] : [backupFilter(backup)]),
    ...(backupWithin === undefined
      ? []
      : [{ field: 'lastBackup', value: dayIn(-backupWithin), condition: 'GTE' } as const]),
    ...(company === undefined ? [] : [{ field: 'companyName', value: company, condition: 'CONTAINS' } as const]),
    ...(customer === undefined ? [] : [{ field: 'customer', value: customer, condition: 'EQUALS' } as const]),
    ...oneOf('labels', labels),
    ...(pinned === true ? oneOf('hasPinnedNote', 'true') : []),
  ]
}

function monthFilters(month: string): Filter[] {
  const end = new Date(`${month}-01`)
  end.setUTCMonth(end.getUTCMonth() + 1)
  return [
    { field: 'creationDate', value: `${month}-01`, condition: 'GTE' },
    { field: 'creationDate', value: dayInUtc(end), condition: 'BEFORE' },
  ]
}

/** Days are those of the rules, in UTC, as for the marks of expired rooms. On the day on which it expires, a room can still be used. */
function expiryFilters(expires: 'past' | number): Filter[] {
  const field = 'expirationDate'
  if (expires === 'past') return [{ field, value: dayIn(0), condition: 'BEFORE' }]
  return [
    { field, value: dayIn(0), condition: 'GTE' },
    { field, value: dayIn(expires), condition: 'LTE' },
  ]
}

/** Rooms without a backup count as backed up before any day. */
function backupFilter(backup: 'none' | number): Filter {
  const field = 'lastBackup'
  if (backup === 'none') return { field, value: 'null', condition: 'EQUALS' }
  return { field, value: dayIn(-backup), condition: 'BEFORE' }
}

function dayIn(days: number): string {
  return dayInUtc(new Date(Date.now() + days * 86_400_000))
}

export interface Filter {
  field: RoomField
  value: string
  condition: FilterCondition
}

/** Order, search and filters in the API's format. */
export function requestOf(search: TableSearch, filters: readonly Filter[]): RoomExportQuery {
  const { column, dir } = sortOf(search)
  const text = search.q?.trim() ?? ''
  const scope = search.in ?? 'all'
  const keys = text === '' || scope === 'all' ? [] : searchedFields[scope]
  return {
    order_by: wireFields[column] ?? column,
    order_dir: dir,
    search_keys: [...keys],
    search_values: keys.map(() => text),
    search: scope === 'all' ? text.slice(0, longestSearch) : '',
    filter_keys: filters.map(({ field }) => field),
    filter_values: filters.map(({ value }) => value),
    filter_conditions: filters.map(({ condition }) => condition),
  }
}

const customerName = ['customerFirstName', 'customerLastName'] as const
const searchedFields: Readonly<Record<Exclude<Scope, 'all'>, readonly string[]>> = {
  tenant: ['tenantName'],
  customer: customerName,
  email: ['customerEmail'],
}

/** The wire fields of columns that have other names. */
const wireFields: Partial<Record<RoomColumn, RoomField>> = {
  customerContact: 'customerLastName',
  regionName: 'region',
  state: 'projectRoomState',
}
