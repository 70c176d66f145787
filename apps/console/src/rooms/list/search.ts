/** The state of the list of rooms in the URL. */
import {
  editions,
  failureCauses,
  products,
  projectRoomStates,
  type RoomFieldWith,
  salesChannels,
} from '@roomkeeper/contract'
import {
  flag,
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
  words,
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
/** Columns of the list alone, hidden until they are chosen. */
export type ListColumn = 'labels' | 'lastBackup' | 'licenses' | 'subMiningType' | 'error'
export type RoomColumn = OwnColumn | RoomFieldWith<'listColumn'> | ListColumn

/** Whether the list can be sorted by each column. A record, so that the compiler asks for the columns of the catalogue. */
export const isSortable: Readonly<Record<RoomColumn, boolean>> = {
  product: true,
  tenantName: true,
  edition: true,
  customerContact: true,
  customerEmail: true,
  companyName: true,
  customerContactDetails: false,
  additionalEmail: true,
  sapNumber: true,
  sapNumberLast: true,
  salesman: true,
  salesmanEmail: true,
  productType: true,
  regionName: true,
  creationDate: true,
  expirationDate: true,
  state: true,
  labels: false,
  lastBackup: true,
  licenses: false,
  subMiningType: true,
  error: false,
}
const sortable = (Object.keys(isSortable) as RoomColumn[]).filter((column) => isSortable[column])

export const scopes = ['all', 'tenant', 'customer', 'email'] as const
export type Scope = (typeof scopes)[number]
const narrowScopes = ['tenant', 'customer', 'email'] as const satisfies readonly Scope[]

/** The name under which the list's rows and columns are remembered. */
export const roomsTable = 'projectRooms'

/** What the URL of every table of rooms can say. */
export const tableParameters = {
  page,
  size: pageSize,
  sort: oneOf(sortable),
  dir: oneOf(['asc', 'desc'] as const),
  q: typedText,
  in: oneOf<Scope>(narrowScopes),
}
export type TableSearch = SearchOf<typeof tableParameters>

/** The most days that the filters accept. */
export const maxFilterDays = 3650

/** The filters above the list; several values of one are comma-joined, and a room has one of them. */
const filterParameters = {
  product: someOf(products),
  edition: someOf(editions),
  channel: someOf(salesChannels),
  /** The regions' ids. */
  region: numbers,
  status: someOf(projectRoomStates),
  /** Why rooms are in error. */
  cause: someOf(failureCauses),
  /** In this month, such as `2026-03`, in UTC. */
  created: (given: unknown) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(String(given)) ? String(given) : undefined),
  /** From today on, within this number of days; or before today. */
  expires: (given: unknown) => oneOf(['past'] as const)(given) ?? wholeNumber(0, maxFilterDays)(given),
  /** Rooms that were not backed up within this number of days; or never. */
  backup: (given: unknown) => oneOf(['none'] as const)(given) ?? wholeNumber(0, maxFilterDays)(given),
  /** Rooms with a backup of this number of days or of today. */
  backupWithin: wholeNumber(0, maxFilterDays),
  /** A part of the name. */
  company: text(100),
  /** The key of a customer, or any spelling of the name. */
  customer: text(255),
  /** Joined by commas, which no label contains; a room needs one of them. An empty one would ask for rooms without labels. */
  labels: words(1000),
  /** Rooms with a pinned note. */
  pinned: flag,
}
export type RoomFilters = SearchOf<typeof filterParameters>
export type FilterName = keyof typeof filterParameters
export const filterNames = Object.keys(filterParameters) as FilterName[]

/** Defaults if absent: names descending, no search, all fields, no filter, failed rooms included. */
const roomsParameters = {
  ...tableParameters,
  ...filterParameters,
  hideFailed: flag,
  /** The id of the view that was chosen; it changes no rows. */
  view: text(36),
}
export type RoomsSearch = SearchOf<typeof roomsParameters>

/** Changes the URL. `replace`: without a new entry in the history. */
export type ChangeSearch = (search: RoomsSearch, how?: { replace: boolean }) => void

export const parseRoomsSearch = (given: Record<string, unknown>): RoomsSearch => readSearch(roomsParameters, given)

export function sortOf(search: TableSearch): { column: RoomColumn; dir: 'asc' | 'desc' } {
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
