/** Converts the search of the list of rooms into queries. */
import {
  type FilterCondition,
  longestSearch,
  type RoomExportQuery,
  type RoomField,
  type RoomListQuery,
} from '@roomkeeper/contract'
import { type Column, type RoomsSearch, type Scope, sortOf } from './search.ts'

/** The query of get_tenants. @param size rows per page if the URL does not say */
export function listQueryOf(search: RoomsSearch, size: number): RoomListQuery {
  return { page: (search.page ?? 1) - 1, size: search.size ?? size, ...exportQueryOf(search) }
}

/** The same query without paging. */
export function exportQueryOf(search: RoomsSearch): RoomExportQuery {
  const hidden: Filter = { field: 'projectRoomState', value: 'ERROR', condition: 'NOT_EQUALS' }
  return wireQueryOf(search, search.hideFailed === true ? [hidden] : [])
}

export interface Filter {
  field: RoomField
  value: string
  condition: FilterCondition
}

/** Order, search and filters in the form of the wire. */
export function wireQueryOf(search: RoomsSearch, filters: readonly Filter[]): RoomExportQuery {
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
const wireFields: Partial<Record<Column, RoomField>> = {
  // The contact is shown with the first name first, so it is sorted by first name.
  customerContact: 'customerFirstName',
  regionName: 'region',
  state: 'projectRoomState',
}
