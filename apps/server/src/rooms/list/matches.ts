/** Combines search and filters into one condition. */
import { type RawBuilder, sql } from 'kysely'
import type { RoomCriteria } from './criteria.ts'
import { filterSql, isSummarised } from './filters.ts'
import type { ListRegions } from './regions.ts'
import { searchSql, wordsSql } from './search.ts'

export interface Matches {
  /** The condition on `rooms`. If `areSummarised`, it works on `room_totals` too. */
  where: RawBuilder<boolean>
  areSummarised: boolean
}

export function matchesOf(criteria: RoomCriteria, regions: ListRegions): Matches {
  const { search, words, filters } = criteria
  const conditions = filters.map((filter) => filterSql(filter, regions))
  if (search.length > 0) conditions.push(searchSql(search))
  if (words.length > 0) conditions.push(wordsSql(words))
  return {
    where: conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`,
    areSummarised: search.length === 0 && words.length === 0 && filters.every(isSummarised),
  }
}
