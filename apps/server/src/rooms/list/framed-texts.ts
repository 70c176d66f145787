/**
 * The column `search` joins several fields. So it tells not only whether a text is in one of them, but whether a field
 * begins or ends with it: then the text stands there together with what joins the fields.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Operator } from './condition.ts'
import { firstColumns, middle, searchedColumns, separator } from './fields.ts'

/** Holds for all rooms for which the comparison with this column holds; null if the index does not help to find them. */
export function searchHolds(column: string, operator: Operator, value: string): RawBuilder<boolean> | null {
  const place = searchedColumns.indexOf(column)
  const joint = (index: number) => (index === firstColumns.length ? middle : separator)
  const before = operator === 'contains' || operator === 'ends' ? '' : joint(place)
  const after = operator === 'contains' || operator === 'starts' ? '' : joint(place + 1)
  if (!hasTrigram(`${before}${value}${after}`)) return null
  const begin = before !== '' && place === 0 ? '' : `%${before}`
  const end = after !== '' && place === searchedColumns.length - 1 ? '' : `${after}%`
  return sql`search like lower(${`${begin}${escapeLike(value)}${end}`}::text)`
}

/** Whether the text is in one of the searched columns, or in one of the first of them. */
export function isSearched(text: string, where: 'anywhere' | 'in-first'): RawBuilder<boolean> {
  const pattern = `%${escapeLike(text)}%${where === 'in-first' ? `${middle}%` : ''}`
  // Without a trigram, another collation than the index's keeps the planner from reading the whole index first.
  return hasTrigram(text)
    ? sql`search like lower(${pattern}::text)`
    : sql`search collate "C" like lower(${pattern}::text)`
}

/**
 * Whether the trigram index helps to find a text. For each word (letters and digits), padded with two spaces before and
 * one after, the index holds every run of three characters. A word at the beginning or end of the searched text may be
 * part of a longer word, so no padding counts there.
 */
export function hasTrigram(text: string): boolean {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].some((word) => {
    const beginsInside = word.index > 0 ? 2 : 0
    const endsInside = word.index + word[0].length < text.length ? 1 : 0
    return beginsInside + [...word[0]].length + endsInside >= 3
  })
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
