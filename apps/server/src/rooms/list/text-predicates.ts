/** Compares texts in SQL. Equality and substrings ignore case. Values are passed as parameters. */
import { type RawBuilder, sql } from 'kysely'
import type { Operator } from './condition.ts'
import { separator } from './fields.ts'
import type { FramedText } from './framed-texts.ts'

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

/** Whether the column `search` of a room holds the text where it must stand. */
export function searchHolds(text: FramedText): RawBuilder<boolean> {
  return indexedHolds(sql`search`, text)
}

/** The same for the texts of the index `rooms_search_more`. */
export function moreHolds(text: FramedText): RawBuilder<boolean> {
  return indexedHolds(moreIndexed, text)
}

/** Exactly the expression of the index: another one would not use it. */
const moreIndexed = sql`lower(company_name || E'\\x1f' || sap_number || E'\\x1f' || coalesce(sap_number_last, ''))`

function indexedHolds(indexed: RawBuilder<unknown>, framed: FramedText): RawBuilder<boolean> {
  const { text, isFirst, isLast } = framed
  const pattern = lowerPattern(`${isFirst ? '' : '%'}${escapeLike(text)}${isLast ? '' : '%'}`)
  // Without a trigram, a collation other than the index's keeps the planner from reading the whole index first.
  return hasFramedTrigram(framed) ? sql`${indexed} like ${pattern}` : sql`${indexed} collate "C" like ${pattern}`
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

/** The same for a text at the beginning or end of the joined fields, where words begin and end as at a separator. */
export function hasFramedTrigram({ text, isFirst, isLast }: FramedText): boolean {
  return hasTrigram(`${isFirst ? separator : ''}${text}${isLast ? separator : ''}`)
}

/** PostgreSQL converts both sides to lower case, so both follow the same rules for every letter. */
function lowerPattern(pattern: string): RawBuilder<string> {
  return sql`lower(${pattern}::text)`
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
