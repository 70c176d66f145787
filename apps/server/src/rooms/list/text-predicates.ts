/** Compares texts in SQL. Equality and substrings ignore case. Values are passed as parameters. */
import { type RawBuilder, sql } from 'kysely'
import type { Operator } from './condition.ts'
import { escapeLike } from './framed-texts.ts'

/** @param text an SQL expression of type text. For NULL the predicate is only true if it asks for the empty value. */
export function textPredicate(
  text: RawBuilder<string | null>,
  operator: Operator,
  value: string,
  order: 'dictionary' | 'plain',
): RawBuilder<boolean> {
  const ordered = order === 'dictionary' ? sql`(${text} collate "und-x-icu")` : text
  switch (operator) {
    case 'equals':
      return value === '' ? sql`(${ordered} = '' or ${text} is null)` : sql`lower(${text}) = lower(${value}::text)`
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

/** The value as text, written as on the wire. */
export function wireText(column: RawBuilder<unknown>, kind: 'number' | 'day' | 'time'): RawBuilder<string | null> {
  switch (kind) {
    case 'number':
      return sql`${column}::text`
    case 'day':
      return sql`to_char(${column}, 'YYYY-MM-DD"T00:00:00.000Z"')`
    case 'time':
      return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
}

/** PostgreSQL converts both sides to lower case, so both follow the same rules for every letter. */
function lowerPattern(pattern: string): RawBuilder<string> {
  return sql`lower(${pattern}::text)`
}
