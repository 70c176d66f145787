/** Comparing texts in SQL, in any case of letters. Values travel as parameters. */
import { type RawBuilder, sql } from 'kysely'
import type { Operator } from './condition.ts'

/** @param text an expression of type text, null when there is none; never true for null unless the value is empty */
export function textPredicate(
  text: RawBuilder<string | null>,
  operator: Operator,
  value: string,
  order: 'dictionary' | 'plain',
): RawBuilder<boolean> {
  const ordered = order === 'dictionary' ? sql`(${text} collate "und-x-icu")` : text
  switch (operator) {
    case 'equals':
      return value === '' ? sql`coalesce(${text}, '') = ''` : sql`lower(${text}) = lower(${value}::text)`
    case 'contains':
      return sql`lower(${text}) like ${lowerPattern(`%${escapeLike(value)}%`)}`
    case 'starts':
      return sql`lower(${text}) like ${lowerPattern(`${escapeLike(value)}%`)}`
    case 'ends':
      return sql`lower(${text}) like ${lowerPattern(`%${escapeLike(value)}`)}`
    case 'less':
      return sql`${ordered} < ${value}`
    case 'at-most':
      return sql`${ordered} <= ${value}`
    case 'more':
      return sql`${ordered} > ${value}`
    case 'at-least':
      return sql`${ordered} >= ${value}`
  }
}

/** Rooms whose `search` column holds the text. */
export function searchHolds(text: string): RawBuilder<boolean> {
  const pattern = lowerPattern(`%${escapeLike(text)}%`)
  // In another collation than the index's: else the planner would read the whole index and then every room.
  return hasTrigram(text) ? sql`search like ${pattern}` : sql`search collate "C" like ${pattern}`
}

/**
 * Whether the trigram index helps to find a text. It holds three characters in a row of each word (letters and
 * digits), which is taken to begin with two spaces and to end with one; where the searched text begins or ends, words
 * may go on.
 */
export function hasTrigram(text: string): boolean {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].some((word) => {
    const beginsInside = word.index > 0 ? 2 : 0
    const endsInside = word.index + word[0].length < text.length ? 1 : 0
    return beginsInside + [...word[0]].length + endsInside >= 3
  })
}

/** PostgreSQL makes both sides lower case, so that they agree about all letters. */
function lowerPattern(pattern: string): RawBuilder<string> {
  return sql`lower(${pattern}::text)`
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
