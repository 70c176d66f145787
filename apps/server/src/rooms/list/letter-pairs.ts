/**
 * The index `rooms_letter_pairs` holds every two characters that follow each other in a room's texts. It finds what the
 * trigram indexes cannot: texts of two characters, and texts in fields about sales. What it finds holds all pairs of a
 * text, perhaps at different places, so it only narrows down the rooms that are then compared.
 */
import type { RoomField } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from './any-of.ts'
import { comparesText, type Operator } from './condition.ts'
import type { RoomCriteria, RoomFilter, SearchTerm } from './criteria.ts'
import { fields, indexedColumns, joinedColumnsOf, moreIndexedColumns, searchColumn, separator } from './fields.ts'
import { framed } from './framed-texts.ts'
import { fullNamesIn } from './search.ts'
import { hasFramedTrigram, hasTrigram } from './text-predicates.ts'

/** A condition that all matches fulfil and that the index answers; null if there is none. */
export function pairsSql({ search, words, filters }: RoomCriteria): RawBuilder<boolean> | null {
  const parts = [
    ...words.map((word) => (hasPairs(word) && !hasTrigram(word) ? holds(pairsOfSearched, word) : null)),
    ...filters.map(pairsOfFilter),
    pairsOfTerms(search),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : sql`(${sql.join(parts, sql` and `)})`
}

function pairsOfFilter({ field, condition: { operator, isNegated, values } }: RoomFilter): RawBuilder<boolean> | null {
  const column = textColumn(field)
  const isPart = comparesText(operator) || operator === 'equals'
  if (column === null || isNegated || !isPart) return null
  return any(values.map((text) => ({ text, column, operator })))
}

function pairsOfTerms(terms: readonly SearchTerm[]): RawBuilder<boolean> | null {
  // The pairs of a whole name are not those of its two fields.
  if (fullNamesIn(terms).length > 0) return null
  return any(terms.map(({ field, text }) => ({ text, column: searchColumn(field), operator: 'contains' })))
}

interface Sought {
  text: string
  column: string
  operator: Operator
}

/** Null if one of the texts, each of which can be the one that matches, is not found by its pairs. */
function any(sought: Sought[]): RawBuilder<boolean> | null {
  if (sought.length === 0 || !sought.every(({ text }) => hasPairs(text))) return null
  if (!sought.some(isUsefulFor)) return null
  const parts = sought.map(({ text, column, operator }) => {
    const [pairs, columns] =
      joinedColumnsOf(column) !== undefined ? [pairsOfSearched, searchedColumns] : [pairsOfSales, salesColumns]
    return holds(pairs, framed(text, operator, column, columns).text)
  })
  return anyOf(parts)
}

function isUsefulFor({ text, column, operator }: Sought): boolean {
  const columns = joinedColumnsOf(column)
  return columns === undefined || !hasFramedTrigram(framed(text, operator, column, columns))
}

/** The index does not know the characters that its texts are joined and divided by. */
function hasPairs(text: string): boolean {
  return [...text].length >= 2 && !text.includes(separator) && !text.includes(pairSeparator)
}

/** What the function of the index divides pairs by. */
const pairSeparator = '\x1e'

function textColumn(field: RoomField): string | null {
  const found = fields[field]
  return found.kind === 'text' ? found.column : null
}

function holds(pairs: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql`${pairs} @> letter_pairs(lower(${text}::text))`
}

/** The columns of each of the index's two texts, in their order. */
const searchedColumns = [...indexedColumns, ...moreIndexedColumns]
const salesColumns = ['salesman', 'salesman_email', 'additional_email']

/** Exactly the expressions of the index: others would not use it. */
const pairsOfSearched = sql`letter_pairs(search || E'\\x1f' || lower(company_name || E'\\x1f' || sap_number || E'\\x1f' || coalesce(sap_number_last, '')))`
const pairsOfSales = sql`letter_pairs(lower(coalesce(salesman, '') || E'\\x1f' || salesman_email || E'\\x1f' || coalesce(additional_email, '')))`
