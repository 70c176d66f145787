/** The state of the list of rooms in the URL. */
import type { RoomFieldWith } from '@roomkeeper/contract'
import { flag, nameIn, oneOf, page, pageSize, readSearch, type SearchOf, typedText } from '#ui/url-search.ts'

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
export type Column = OwnColumn | RoomFieldWith<'listColumn'>

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
}

export const scopes = ['all', 'tenant', 'customer', 'email'] as const
export type Scope = (typeof scopes)[number]
const narrowScopes = ['tenant', 'customer', 'email'] as const satisfies readonly Scope[]

/** Defaults if absent: names descending, no search, all fields, failed rooms included. */
export const roomsParameters = {
  page,
  size: pageSize,
  sort: nameIn(columns),
  dir: oneOf(['asc', 'desc'] as const),
  q: typedText,
  in: oneOf<Scope>(narrowScopes),
  hideFailed: flag,
}
export type RoomsSearch = SearchOf<typeof roomsParameters>

export const parseRoomsSearch = (given: Record<string, unknown>): RoomsSearch => readSearch(roomsParameters, given)

export function sortOf(search: RoomsSearch): { column: Column; dir: 'asc' | 'desc' } {
  return { column: search.sort ?? 'tenantName', dir: search.dir ?? (search.sort === undefined ? 'desc' : 'asc') }
}

/** Whether the list omits any rooms. */
export function isNarrowed(search: RoomsSearch): boolean {
  return search.q !== undefined || search.hideFailed === true
}

/** The last search of the list, so that Back leads to the same rows. Kept for this visit only. */
let last: RoomsSearch = {}

export function noteRoomsSearch(search: RoomsSearch): void {
  last = search
}

export function lastRoomsSearch(): RoomsSearch {
  return last
}
