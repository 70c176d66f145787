/**
 * The index `rooms_letter_pairs` holds every two characters that follow each other in a room's texts. It finds what the
 * trigram indexes cannot: texts of two characters, and texts in fields about sales. What it finds holds all pairs of a
 * text, perhaps at different places, so it only narrows down the rooms that are then compared.
 */
import type { FilterField } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { comparesText } from './condition.ts'
import type { RoomCriteria, RoomFilter, SearchTerm } from './criteria.ts'
import { filterable, indexedColumns, moreIndexedColumns, searchColumn, separator } from './fields.ts'
import { hasTrigram } from './text-predicates.ts'

/** A condition that all matches fulfil and that the index answers; null if there is none. */
export function pairsSql({ search, words, filters }: RoomCriteria): RawBuilder<boolean> | null {
  const parts = [
    ...words.map((word) => (isUseful(word, ['name']) ? holds(pairsOfSearched, word) : null)),
    ...filters.map(pairsOfFilter),
    pairsOfTerms(search),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : sql`(${sql.join(parts, sql` and `)})`
}

function pairsOfFilter({ field, condition: { operator, isNegated, values } }: RoomFilter): RawBuilder<boolean> | null {
  const column = textColumn(field)
  const isPart = comparesText(operator) || operator === 'equals'
  if (column === null || isNegated || !isPart) return null
  return any(values.map((text) => ({ text, columns: [column] })))
}

function pairsOfTerms(terms: readonly SearchTerm[]): RawBuilder<boolean> | null {
  return any(terms.map(({ field, text }) => ({ text, columns: [searchColumn(field)] })))
}

/** Null if one of the texts, each of which can be the one that matches, is not found by its pairs. */
function any(sought: { text: string; columns: string[] }[]): RawBuilder<boolean> | null {
  if (sought.length === 0 || !sought.every(({ text }) => hasPairs(text))) return null
  if (!sought.some(({ text, columns }) => isUseful(text, columns))) return null
  const parts = sought.map(({ text, columns: [column = ''] }) =>
    holds(isSearched(column) ? pairsOfSearched : pairsOfSales, text),
  )
  return sql`(${sql.join(parts, sql` or `)})`
}

/** Whether the pairs find what the trigrams do not. */
function isUseful(text: string, columns: readonly string[]): boolean {
  return hasPairs(text) && !(hasTrigram(text) && columns.every(isSearched))
}

/** The index does not know the characters that its texts are joined and divided by. */
function hasPairs(text: string): boolean {
  return [...text].length >= 2 && !text.includes(separator) && !text.includes(pairSeparator)
}

/** What the function of the index divides pairs by. */
const pairSeparator = '\x1e'

function textColumn(field: FilterField): string | null {
  const found = filterable(field)
  return found.kind === 'text' ? found.column : null
}

function isSearched(column: string): boolean {
  return indexedColumns.includes(column) || moreIndexedColumns.includes(column)
}

function holds(pairs: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql`${pairs} @> letter_pairs(lower(${text}::text))`
}

/** Exactly the expressions of the index: others would not use it. */
const pairsOfSearched = sql`letter_pairs(search || E'\\x1f' || lower(company_name || E'\\x1f' || sap_number || E'\\x1f' || coalesce(sap_number_last, '')))`
const pairsOfSales = sql`letter_pairs(lower(coalesce(salesman, '') || E'\\x1f' || salesman_email || E'\\x1f' || coalesce(additional_email, '')))`
