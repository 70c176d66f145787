/** A page of the list of rooms. The parts are in list/: what matches, in which order, which page, how it is shown. */
import type { LicenceTotals, RoomList, RoomListQuery } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { parseRoomQuery, type RoomCriteria } from './criteria.ts'
import { readPage } from './page.ts'
import { type ListRegions, regionsFor } from './regions.ts'
import { presentRoom, type RoomRow, selectRoomsByName } from './room-rows.ts'

/**
 * Totals are exact and over all matches.
 * @param fewMatches how many matches are kept in memory for a moment; more are counted apart from reading the page
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

/** The page as rows, for callers that show rooms in a way of their own. */
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

/** In the order of the names; a room that was deleted meanwhile is left out. */
async function roomsByName(pool: Database['pool'], names: readonly string[]): Promise<RoomRow[]> {
  if (names.length === 0) return []
  const statement = { name: 'rooms-by-name', text: selectRoomsByName, values: [names] }
  const { rows } = await pool.query<RoomRow>(statement)
  const byName = new Map(rows.map((row) => [row.name, row]))
  return names.flatMap((name) => byName.get(name) ?? [])
}
