/** What the list needs to know about regions. They are few, so they are read beforehand instead of joined. */
import type { RoomField } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'
import type { RoomCriteria } from './criteria.ts'

export interface ListRegion {
  id: number
  name: string
  isDisabled: boolean
}

export interface ListRegions {
  /** Ordered by name. */
  ordered: readonly ListRegion[]
  disabledIds: readonly number[]
}

const statement = prepared(
  `select id, name, state = 'disabled' as is_disabled from regions order by name collate "und-x-icu", id`,
)

/** Most lists need no information about regions. */
const noRegions: ListRegions = { ordered: [], disabledIds: [] }

export async function regionsFor(criteria: RoomCriteria, db: Db | Tx): Promise<ListRegions> {
  return [criteria.sort, ...criteria.filters].some(({ field }) => fieldsOfRegions.includes(field))
    ? readListRegions(db)
    : noRegions
}

/** The shown state is one of them, because it depends on the state of the region. */
const fieldsOfRegions: readonly RoomField[] = ['region', 'regionName', 'state', 'projectRoomState']

export async function readListRegions(db: Db | Tx): Promise<ListRegions> {
  const rows = await queryRows<ListRegion>(db, statement)
  return {
    ordered: rows,
    disabledIds: rows.filter(({ isDisabled }) => isDisabled).map(({ id }) => id),
  }
}

/** The rank of a room's region among the regions ordered by name. */
export function regionRankSql({ ordered }: ListRegions): RawBuilder<number> {
  const ids = ordered.map(({ id }) => sql.lit(id))
  return sql`array_position(array[${sql.join(ids)}]::integer[], region_id)`
}
