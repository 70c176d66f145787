/** What the list of rooms shows, as it stands in the URL. */
import type { RoomFieldWith } from '@roomkeeper/contract'

/** Written out, because this is read before the contract is loaded. */
const catalogueColumns: Record<RoomFieldWith<'listColumn'>, true> = { customerEmail: true }

export const columns = [
  'product',
  'tenantName',
  'edition',
  'customerContact',
  ...(Object.keys(catalogueColumns) as RoomFieldWith<'listColumn'>[]),
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

/** Where the list was left, so that the way back leads to the same rows. Kept for this visit only. */
let last: RoomsSearch = {}

export function noteRoomsSearch(search: RoomsSearch): void {
  last = search
}

export function lastRoomsSearch(): RoomsSearch {
  return last
}
