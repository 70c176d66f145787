/**
 * Reads a page of the list of rooms. matches.ts selects the rooms, orders.ts sorts them, page.ts finds the page, and
 * room-rows.ts puts rooms into the form of the wire.
 */
import type { LicenceTotals, RoomList, RoomListQuery } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { parseRoomQuery, type RoomCriteria } from './criteria.ts'
import { readPage } from './page.ts'
import { type ListRegions, regionsFor } from './regions.ts'
import { presentRoom, type RoomRow, selectRoomsByName } from './room-rows.ts'

/**
 * The totals are exact and cover all matches, not only the page.
 * @param fewMatches up to this many matches are held in memory to get page and totals in one pass; more than this are
 * counted in a statement of their own
 * @throws Refusal `invalid-filter`
 */
export async function listRooms(database: Database, query: RoomListQuery, fewMatches = 100_000): Promise<RoomList> {
  const criteria = parseRoomQuery(query)
  const regions = await regionsFor(criteria, database.pool)
  const { rows, totalElements, totalPages, licenses } = await readRooms(database, criteria, regions, {
    ...query,
    fewMatches,
  })
  return { data: rows.map(presentRoom), totalElements, totalPages, licenses }
}

interface RoomsPage {
  rows: RoomRow[]
  totalElements: number
  totalPages: number
  licenses: LicenceTotals
}

/** The page as rows, for callers that present rooms differently. */
export async function readRooms(
  database: Database,
  criteria: RoomCriteria,
  regions: ListRegions,
  request: { page: number; size: number; fewMatches: number },
): Promise<RoomsPage> {
  const { names, rows, rooms, licences } = await readPage(database, criteria, regions, request)
  return {
    rows: rows ?? (await roomsByName(database.pool, names)),
    totalElements: rooms,
    totalPages: Math.ceil(rooms / request.size),
    licenses: licences,
  }
}

/** In the order of `names`. Leaves out rooms that have been deleted in the meantime. */
async function roomsByName(pool: Database['pool'], names: readonly string[]): Promise<RoomRow[]> {
  if (names.length === 0) return []
  const statement = { name: 'rooms-by-name', text: selectRoomsByName, values: [names] }
  const { rows } = await pool.query<RoomRow>(statement)
  const byName = new Map(rows.map((row) => [row.name, row]))
  return names.flatMap((name) => byName.get(name) ?? [])
}
