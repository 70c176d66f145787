/**
 * Reads a page of the list of rooms. matches.ts selects the rooms, orders.ts sorts them, page.ts finds the page, and
 * room-rows.ts puts rooms into the form of the wire.
 */
import type { RoomList, RoomListQuery } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import { parseRoomQuery, type RoomCriteria } from './criteria.ts'
import { type PageRequest, type RoomPage, readPage, readTotals } from './page.ts'
import { type ListRegions, regionsFor } from './regions.ts'
import { presentRoom, type RoomRow, selectRoomsByName } from './room-rows.ts'
import type { Totals } from './totals.ts'

/**
 * The totals are exact and cover all matches, not only the page.
 * @param fewMatches up to this many matches are held in memory to get page and totals in one pass; more than this are
 * counted in a statement of their own
 * @param quickCost see page.ts
 * @param mostWalked see first-rows.ts
 * @throws Refusal `invalid-filter`
 */
export async function listRooms(
  database: Database,
  query: RoomListQuery,
  fewMatches = 100_000,
  quickCost = 20_000,
  mostWalked?: number,
): Promise<RoomList> {
  const criteria = parseRoomQuery(query)
  const regions = await regionsFor(criteria, database.db)
  if (query.totals === 'only')
    return { data: [], ...presentTotals(await readTotals(database, criteria, regions), query.size) }
  const maxCostOfTotals = query.totals === 'exact' ? null : quickCost
  const page = await readPage(database, criteria, regions, { ...query, fewMatches, maxCostOfTotals, mostWalked })
  const data = (await rowsOf(database, page)).map(presentRoom)
  if (page.totals === null) return { data, totalElements: null, totalPages: null, licenses: null }
  return { data, ...presentTotals(page.totals, query.size) }
}

interface RoomsPage {
  rows: RoomRow[]
  totalElements: number
  totalPages: number
}

/** The page as rows, for callers that present rooms differently. */
export async function readRooms(
  database: Database,
  criteria: RoomCriteria,
  regions: ListRegions,
  request: Omit<PageRequest, 'maxCostOfTotals'>,
): Promise<RoomsPage> {
  const page = await readPage(database, criteria, regions, { ...request, maxCostOfTotals: null })
  if (page.totals === null) throw new Error('The totals were asked for.')
  const { totalElements, totalPages } = presentTotals(page.totals, request.size)
  return { rows: await rowsOf(database, page), totalElements, totalPages }
}

function presentTotals({ rooms, licences }: Totals, size: number) {
  return { totalElements: rooms, totalPages: Math.ceil(rooms / size), licenses: licences }
}

async function rowsOf({ pool }: Database, { rows, names }: RoomPage): Promise<RoomRow[]> {
  return rows ?? (await roomsByName(pool, names))
}

/** In the order of `names`. Leaves out rooms that have been deleted in the meantime. */
async function roomsByName(pool: Database['pool'], names: readonly string[]): Promise<RoomRow[]> {
  if (names.length === 0) return []
  const { rows } = await pool.query<RoomRow>(selectRoomsByName, [names])
  const byName = new Map(rows.map((row) => [row.name, row]))
  return names.flatMap((name) => byName.get(name) ?? [])
}
