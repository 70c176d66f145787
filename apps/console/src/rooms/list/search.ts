/** The state of the list of rooms in the URL. */
import type { Edition, Product, ProjectRoomState, RoomFieldWith, SalesChannel } from '@roomkeeper/contract'
import {
  flag,
  nameIn,
  numbers,
  oneOf,
  page,
  pageSize,
  readSearch,
  type SearchOf,
  someOf,
  text,
  typedText,
  wholeNumber,
} from '#ui/url-search.ts'

/** The columns that show more than a text field of the catalogue. */
export type OwnColumn =
  | 'product'
  | 'tenantName'
  | 'edition'
  | 'customerContact'
  | 'productType'
  | 'regionName'
  | 'creationDate'
  | 'expirationDate'
  | 'state'
/** `lastBackup` is of the list alone. */
export type Column = OwnColumn | RoomFieldWith<'listColumn'> | 'lastBackup'

/** Written out because URLs are read before the contract is loaded. */
const columns: Readonly<Record<Column, true>> = {
  product: true,
  tenantName: true,
  edition: true,
  customerContact: true,
  customerEmail: true,
  productType: true,
  regionName: true,
  creationDate: true,
  expirationDate: true,
  state: true,
  lastBackup: true,
}

export const scopes = ['all', 'tenant', 'customer', 'email'] as const
export type Scope = (typeof scopes)[number]
const narrowScopes = ['tenant', 'customer', 'email'] as const satisfies readonly Scope[]

/** The name under which the list's rows and columns are remembered. */
export const roomsTable = 'projectRooms'

/** What the URL of every table of rooms can say. */
export const tableParameters = {
  page,
  size: pageSize,
  sort: nameIn(columns),
  dir: oneOf(['asc', 'desc'] as const),
  q: typedText,
  in: oneOf<Scope>(narrowScopes),
}
export type TableSearch = SearchOf<typeof tableParameters>

/** Written out because URLs are read before the contract is loaded. For the statistics, too. */
export const products: Readonly<Record<Product, true>> = { ARIS: true, MINING: true, ENTERPRISE: true }
export const editions: Readonly<Record<Edition, true>> = {
  basic: true,
  advanced: true,
  'advanced-base-extension': true,
  enterprise: true,
  'enterprise-shared': true,
}
export const salesChannels: Readonly<Record<SalesChannel, true>> = { 'direct-sales': true, 'online-shop': true }
const states: Readonly<Record<ProjectRoomState, true>> = {
  DEFAULT: true,
  MARKED_FOR_DELETION: true,
  ERROR: true,
  DISABLED_REGION: true,
  SUSPENDED: true,
  IN_PROGRESS: true,
}

/** More days than this are no filter for what soon expires, or was backed up long ago. */
export const mostDays = 3650

/** The filters above the list; several values of one are comma-joined, and a room has one of them. */
const filterParameters = {
  product: someOf(products),
  edition: someOf(editions),
  channel: someOf(salesChannels),
  /** The regions' ids. */
  region: numbers,
  status: someOf(states),
  /** From today on, within this number of days; or before today. */
  expires: (given: unknown) => oneOf(['past'] as const)(given) ?? wholeNumber(0, mostDays)(given),
  /** Rooms without any backup of this number of days and of today; or without any at all. */
  backup: (given: unknown) => oneOf(['none'] as const)(given) ?? wholeNumber(0, mostDays)(given),
  /** Rooms with a backup of this number of days or of today. */
  backupWithin: wholeNumber(0, mostDays),
  /** A part of the name. */
  company: text(100),
}
export type RoomFilters = SearchOf<typeof filterParameters>
export type FilterName = keyof typeof filterParameters
export const filterNames = Object.keys(filterParameters) as FilterName[]

/** Defaults if absent: names descending, no search, all fields, no filter, failed rooms included. */
export const roomsParameters = {
  ...tableParameters,
  ...filterParameters,
  hideFailed: flag,
  /** The id of the view that was chosen; it changes no rows. */
  view: text(36),
}
export type RoomsSearch = SearchOf<typeof roomsParameters>

export const parseRoomsSearch = (given: Record<string, unknown>): RoomsSearch => readSearch(roomsParameters, given)

export function sortOf(search: TableSearch): { column: Column; dir: 'asc' | 'desc' } {
  return { column: search.sort ?? 'tenantName', dir: search.dir ?? (search.sort === undefined ? 'desc' : 'asc') }
}

/** Whether the list omits any rooms. */
export function isNarrowed(search: RoomsSearch): boolean {
  return search.q !== undefined || search.hideFailed === true || isFiltered(search)
}

/** The filters alone. */
export const filtersIn = (given: Record<string, unknown>): RoomFilters => readSearch(filterParameters, given)

/** Whether there is a chip above the list. */
export function isFiltered(search: RoomFilters): boolean {
  return filterNames.some((name) => search[name] !== undefined)
}

/** Search and filters are gone; order and rows per page stay. */
export function withoutFilter({ size, sort, dir }: RoomsSearch): RoomsSearch {
  return { size, sort, dir }
}

/** The last search of the list, so that Back leads to the same rows. Kept for this visit only. */
let last: RoomsSearch = {}

export function noteRoomsSearch(search: RoomsSearch): void {
  last = search
}

export function lastRoomsSearch(): RoomsSearch {
  return last
}
