/**
 * Filters that no index looks up: what a field must not hold, and what a date or number is written with. The index of
 * the field's order has nothing but its values and the names, so to compare all of them there takes a fifth of what it
 * takes to read all rooms.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import { comparesText } from './condition.ts'
import { isListOfNames, type RoomCriteria, type RoomFilter } from './criteria.ts'
import { fields } from './fields.ts'
import { filterSql } from './filters.ts'
import type { List } from './list.ts'
import { orderSql, sortKeySql } from './orders.ts'
import type { ListRegions } from './regions.ts'

/**
 * If everything is about the field that the rooms are sorted by, the index of the order alone gives the page.
 * @returns its names, which are fewer than a page has only if there are no more; null if there are other conditions
 */
export async function readAlongColumn(db: Db, list: List): Promise<string[] | null> {
  const { criteria, regions, matches, offset, size } = list
  const { search, words, filters, sort } = criteria
  const areAlone = search.length + words.length === 0 && filters.every(({ field }) => field === sort.field)
  if (!areAlone || !filters.some(isBunched)) return null
  const order = orderSql(sortKeySql(sort.field, regions), sort.direction)
  const { rows } = await sql<{ name: string }>`
    select name from rooms where ${matches.where} order by ${order}
    limit ${sql.lit(size)} offset ${sql.lit(offset)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** More names than this are not worth being looked up one by one. */
const mostNames = 5_000

/** @returns the names of all rooms that match the filters of one such field; null if there is none, or they are many */
export async function fewByColumn(db: Db, { filters }: RoomCriteria, regions: ListRegions): Promise<string[] | null> {
  const column = comparedColumn(filters)
  if (column === null) return null
  const conditions = filters.filter((each) => columnOf(each) === column).map((each) => filterSql(each, regions))
  const where: RawBuilder<boolean> = sql`${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<{ name: string }>`
    select name from rooms where ${where} limit ${sql.lit(mostNames + 1)}`.execute(db)
  return rows.length > mostNames ? null : rows.map(({ name }) => name)
}

function comparedColumn(filters: readonly RoomFilter[]): string | null {
  const found = filters.find(isCompared)
  return found === undefined ? null : columnOf(found)
}

function isCompared(filter: RoomFilter): boolean {
  const { field, condition } = filter
  switch (fields[field].kind) {
    case 'text':
      return condition.isNegated && !isListOfNames(filter)
    case 'number':
    case 'day':
    case 'time':
      return condition.isNegated || comparesText(condition.operator)
    case 'closed':
    case 'shown-state':
    case 'region-name':
      return false
  }
}

/** Matches lie together in the order of the field. Negated texts and parts of texts are rare anywhere, or nowhere. */
function isBunched(filter: RoomFilter): boolean {
  return isCompared(filter) && fields[filter.field].kind !== 'text'
}

function columnOf({ field }: Pick<RoomFilter, 'field'>): string | null {
  const found = fields[field]
  return 'column' in found ? found.column : null
}
