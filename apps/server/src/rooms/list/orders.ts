/** The list is ordered by a field, then by name, both in the same direction. */
import type { RoomField } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Direction, RoomCriteria } from './criteria.ts'
import { fields } from './fields.ts'
import { type ListRegions, regionRankSql } from './regions.ts'
import { shownStateSql } from './shown-state.ts'

/** What rooms are ordered by before their name; null if by name only. */
export function sortKeySql(field: RoomCriteria['sort']['field'], regions: ListRegions): RawBuilder<unknown> | null {
  if (field === 'tenantName') return null
  if (field === 'region') return regionRankSql(regions)
  const found = fields[field]
  switch (found.kind) {
    case 'text': {
      const column = sql.ref(found.column)
      return found.order === 'dictionary' ? sql`${column} collate "und-x-icu"` : column
    }
    case 'region-name':
      return regionRankSql(regions)
    case 'shown-state': {
      const names = found.members.map(({ name }) => sql.lit(name))
      return sql`array_position(array[${sql.join(names)}], ${shownStateSql(regions)})`
    }
    case 'closed':
    case 'number':
    case 'day':
    case 'time':
      return sql.ref(found.column)
  }
}

/** The orders in which an index of the schema has all rooms. */
const indexedOrders: readonly RoomField[] = [
  'tenantName',
  'customerFirstName',
  'creationDate',
  'expirationDate',
  'lastBackup',
]

export function hasIndexedOrder(field: RoomField): boolean {
  return indexedOrders.includes(field)
}

/** For `order by`. NULLs come last in ascending and first in descending order, as in PostgreSQL's indexes. */
export function orderSql(key: RawBuilder<unknown> | null, direction: Direction): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return key === null ? sql`name ${way}` : sql`${key} ${way}, name ${way}`
}

export function opposite(direction: Direction): Direction {
  return direction === 'asc' ? 'desc' : 'asc'
}
