/** What the list of rooms shows, as it stands in the URL, and the query that it means. */
import {
  type FilterCondition,
  indexedSearchFields,
  type RoomExportQuery,
  type RoomField,
  type RoomFieldWith,
  type RoomListQuery,
  roomFieldsWith,
} from '@roomkeeper/contract'

export const columns = [
  'product',
  'tenantName',
  'edition',
  'customerContact',
  ...roomFieldsWith('listColumn'),
  'productType',
  'regionName',
  'creationDate',
  'expirationDate',
  'state',
] as const
export type Column = (typeof columns)[number]
/** The columns that are made of more than a text of the catalogue. */
export type OwnColumn = Exclude<Column, RoomFieldWith<'listColumn'>>

export const scopes = ['all', 'tenant', 'customer', 'email'] as const
export type Scope = (typeof scopes)[number]

export const pageSizes = [20, 40, 60, 80, 100] as const
export const defaultPageSize = 20

/** Absent means the default: first page, remembered size, names descending, no search, everything. */
export interface RoomsSearch {
  /** From 1. */
  page?: number | undefined
  size?: number | undefined
  sort?: Column | undefined
  dir?: 'asc' | 'desc' | undefined
  q?: string | undefined
  in?: Scope | undefined
  hideFailed?: true | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseRoomsSearch(given: Record<string, unknown>): RoomsSearch {
  const page = Number(given.page)
  const size = pageSizes.find((each) => each === Number(given.size))
  const sort = columns.find((each) => each === given.sort)
  const scope = scopes.find((each) => each === given.in)
  // The router reads ?q=123 as a number.
  const q = typeof given.q === 'number' ? String(given.q) : given.q
  return {
    ...(Number.isInteger(page) && page > 1 && page <= 2_147_483_647 ? { page } : {}),
    ...(size === undefined ? {} : { size }),
    ...(sort === undefined ? {} : { sort }),
    ...(given.dir === 'asc' || given.dir === 'desc' ? { dir: given.dir } : {}),
    ...(typeof q === 'string' && q.trim() !== '' ? { q } : {}),
    ...(scope === undefined || scope === 'all' ? {} : { in: scope }),
    ...(given.hideFailed === true ? { hideFailed: true as const } : {}),
  }
}

export function sortOf(search: RoomsSearch): { column: Column; dir: 'asc' | 'desc' } {
  return { column: search.sort ?? 'tenantName', dir: search.dir ?? (search.sort === undefined ? 'desc' : 'asc') }
}

/** Whether anything is left out of the list. */
export function isNarrowed(search: RoomsSearch): boolean {
  return search.q !== undefined || search.hideFailed === true
}

/** The query of get_tenants. @param size rows per page where the URL says nothing */
export function listQueryOf(search: RoomsSearch, size: number): RoomListQuery {
  return { page: (search.page ?? 1) - 1, size: search.size ?? size, ...exportQueryOf(search) }
}

/** The same without paging. */
export function exportQueryOf(search: RoomsSearch): RoomExportQuery {
  const hidden: Filter = { field: 'projectRoomState', value: 'ERROR', condition: 'NOT_EQUALS' }
  return wireQueryOf(search, search.hideFailed === true ? [hidden] : [])
}

export interface Filter {
  field: RoomField
  value: string
  condition: FilterCondition
}

/** Order, search and filters as the wire has them. */
export function wireQueryOf(search: RoomsSearch, filters: readonly Filter[]): RoomExportQuery {
  const { column, dir } = sortOf(search)
  const text = search.q?.trim() ?? ''
  const keys = text === '' ? [] : searchedFields[search.in ?? 'all']
  return {
    order_by: wireFields[column] ?? column,
    order_dir: dir,
    search_keys: [...keys],
    search_values: keys.map(() => text),
    filter_keys: filters.map(({ field }) => field),
    filter_values: filters.map(({ value }) => value),
    filter_conditions: filters.map(({ condition }) => condition),
  }
}

const customerName = ['customerFirstName', 'customerLastName'] as const
const searchedFields: Readonly<Record<Scope, readonly string[]>> = {
  all: indexedSearchFields,
  tenant: ['tenantName'],
  customer: customerName,
  email: ['customerEmail'],
}

/** Of the columns that are named otherwise. */
const wireFields: Partial<Record<Column, RoomField>> = {
  // The contact is shown with the first name first, and sorted as it is read.
  customerContact: 'customerFirstName',
  regionName: 'region',
  state: 'projectRoomState',
}
