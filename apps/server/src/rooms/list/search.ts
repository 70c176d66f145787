/**
 * The search by fields matches if at least one term occurs in its field, the search by words if every word occurs in
 * one of the fields. Both regardless of case.
 */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from './any-of.ts'
import type { SearchTerm } from './criteria.ts'
import { indexedColumns, searchColumn, separator } from './fields.ts'
import { anywhere } from './framed-texts.ts'
import { hasTrigram, moreHolds, searchHolds, textPredicate } from './text-predicates.ts'

/** @param terms at least one */
export function searchSql(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  return anyOf([inFields(terms), ...fullNamesIn(terms).map(ofFullName)])
}

/** A text that may be the end of a first name and the beginning of a last name. */
interface FullName {
  first: string
  last: string
}

/**
 * The texts with a blank that are searched in both names: a customer's whole name is in neither of them, and shown as
 * one. Each blank may be the one between the names.
 */
export function fullNamesIn(terms: readonly SearchTerm[]): FullName[] {
  const textsIn = (field: SearchTerm['field']) => terms.filter((term) => term.field === field).map(({ text }) => text)
  const lastNames = new Set(textsIn('customerLastName'))
  return textsIn('customerFirstName')
    .filter((text) => lastNames.has(text) && !text.includes(separator))
    .flatMap((text) =>
      [...text.matchAll(/ /g)].map(({ index }) => ({ first: text.slice(0, index), last: text.slice(index + 1) })),
    )
    .filter(({ first, last }) => first.trim() !== '' && last.trim() !== '')
}

function ofFullName({ first, last }: FullName): RawBuilder<boolean> {
  const [firstName, lastName] = [sql.ref(searchColumn('customerFirstName')), sql.ref(searchColumn('customerLastName'))]
  const isIn = searchHolds(anywhere(`${first}${separator}${last}`))
  const ends = textPredicate(sql`${firstName}`, 'ends', first, 'plain')
  return sql`(${isIn} and ${ends} and ${textPredicate(sql`${lastName}`, 'starts', last, 'plain')})`
}

/** Whether one of the terms occurs in its field. */
function inFields(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  const texts = [...new Set(terms.map(({ text }) => text))]
  const parts = texts.map((text) => ({ text, columns: columnsFor(text, terms) }))
  const matches = anyOf(parts.map(textInFields))
  const isExact = parts.every(isInAllIndexed)
  const isIndexed = parts.every(({ text, columns }) => hasTrigram(text) && columns.every(isIndexedColumn))
  return isIndexed && !isExact
    ? sql`(${anyOf(texts.map((text) => searchHolds(anywhere(text))))} and ${matches})`
    : matches
}

/** @param words at least one */
export function wordsSql(words: readonly string[]): RawBuilder<boolean> {
  return sql`(${sql.join(
    words.map((word) => anyOf([searchHolds(anywhere(word)), moreHolds(anywhere(word))])),
    sql` and `,
  )})`
}

interface Part {
  text: string
  columns: string[]
}

function columnsFor(text: string, terms: readonly SearchTerm[]): string[] {
  return [...new Set(terms.filter((term) => term.text === text).map(({ field }) => searchColumn(field)))]
}

function textInFields(part: Part): RawBuilder<boolean> {
  const isInAll = isInAllIndexed(part)
  const single = part.columns.filter((column) => !isInAll || !isIndexedColumn(column))
  return anyOf([
    ...(isInAll ? [searchHolds(anywhere(part.text))] : []),
    ...single.map((column) => textPredicate(sql`${sql.ref(column)}`, 'contains', part.text, 'plain')),
  ])
}

/**
 * Whether the text is searched in all indexed columns. Then the single column `search` answers, which joins them with
 * a separator; a text that contains the separator cannot be searched that way.
 */
function isInAllIndexed({ text, columns }: Part): boolean {
  return indexedColumns.every((each) => columns.includes(each)) && !text.includes(separator)
}

function isIndexedColumn(column: string): boolean {
  return indexedColumns.includes(column)
}
