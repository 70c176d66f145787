/**
 * The rooms that can be moved out of a region: those whose stored state is DEFAULT or SUSPENDED. The shown state does
 * not count, so that a disabled region can be emptied.
 */
import { indexedSearchFields, type MigrationRoom, type migrationRoomSorts, type RoomField } from '@roomkeeper/contract'
import { isMovableState, movableStates } from '@roomkeeper/rules'
import type { RawBuilder } from 'kysely'
import type { Database } from '#platform/database.ts'
import { readRooms } from './list-rooms.ts'
import { parseRoomQuery, type RoomCriteria } from './query.ts'
import { type RoomRow, runningOperationOf } from './room-rows.ts'
import { type ListRegions, matchesOf } from './where.ts'

export interface MovableRooms {
  regionId: number
  /** Searched in name, customer and e-mail address. An empty text matches all rooms. */
  search: string
}

interface MovablePage {
  page: number
  size: number
  order_by: (typeof migrationRoomSorts)[number]
  order_dir: 'asc' | 'desc'
}

/** @throws Refusal `invalid-filter` */
export async function listMovableRooms(database: Database, which: MovableRooms, page: MovablePage) {
  const { order_by, order_dir } = page
  const criteria = criteriaOf(which, order_by === 'projectRoomName' ? 'tenantName' : order_by, order_dir)
  const { rows, totalElements, totalPages } = await readRooms(database, { ...page, criteria, regions: asStored })
  return { data: rows.flatMap(presentMovable), totalElements, totalPages }
}

/** An SQL condition on `rooms`. @throws Refusal `invalid-filter` */
export function isMovable(which: MovableRooms): RawBuilder<boolean> {
  return matchesOf(criteriaOf(which, 'tenantName', 'asc'), asStored).where
}

function criteriaOf({ regionId, search }: MovableRooms, field: RoomField, direction: 'asc' | 'desc'): RoomCriteria {
  return parseRoomQuery({
    order_by: field,
    order_dir: direction,
    search_keys: indexedSearchFields,
    search_values: indexedSearchFields.map(() => search),
    search: '',
    filter_keys: ['region', 'projectRoomState'],
    filter_values: [String(regionId), movableStates.join('||')],
    filter_conditions: ['EQUALS', 'EQUALS'],
  })
}

/** With no region counted as disabled, the shown state equals the stored one. */
const asStored: ListRegions = { ordered: [], disabledIds: [] }

function presentMovable(row: RoomRow): MigrationRoom[] {
  const { state } = row
  // The state may have changed between finding the page and reading its rows.
  if (!isMovableState(state)) return []
  return [
    {
      projectRoomName: row.name,
      product: row.product,
      edition: row.edition,
      customerFirstName: row.customerFirstName,
      customerLastName: row.customerLastName,
      customerEmail: row.customerEmail,
      companyName: row.companyName,
      projectRoomState: state,
      priority: row.priority,
      runningOperation: runningOperationOf(row),
    },
  ]
}
