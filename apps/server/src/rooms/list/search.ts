/**
 * The search by fields matches if at least one term occurs in its field, the search by words if every word occurs in
 * one of the fields. Both regardless of case.
 */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from './any-of.ts'
import type { SearchTerm } from './criteria.ts'
import { firstColumns, hasJoint, searchColumn, searchedColumns, separator } from './fields.ts'
import { hasTrigram, isSearched } from './framed-texts.ts'
import { textPredicate } from './text-predicates.ts'

/** @param words at least one */
export function wordsSql(words: readonly string[]): RawBuilder<boolean> {
  return sql`(${sql.join(
    words.map((word) => isSearched(word, 'anywhere')),
    sql` and `,
  )})`
}

/** @param terms at least one */
export function searchSql(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  const texts = [...new Set(terms.map(({ text }) => text))]
  const inFields = texts.map((text) => {
    const columns = terms.filter((term) => term.text === text).map(({ field }) => searchColumn(field))
    return isInColumns(text, columns)
  })
  return anyOf([...inFields, ...fullNamesIn(terms).map(isFullName)])
}

function isInColumns(text: string, columns: readonly string[]): RawBuilder<boolean> {
  const areTogether = firstColumns.every((each) => columns.includes(each)) && !hasJoint(text)
  const single = columns.filter((column) => !areTogether || !firstColumns.includes(column))
  const matches = anyOf([
    ...(areTogether ? [isSearched(text, 'in-first')] : []),
    ...single.map((column) => textPredicate(sql`${sql.ref(column)}`, 'contains', text, 'plain')),
  ])
  const isNarrowed = single.length > 0 && hasTrigram(text) && single.every((each) => searchedColumns.includes(each))
  return isNarrowed ? sql`(${isSearched(text, 'anywhere')} and ${matches})` : matches
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
function fullNamesIn(terms: readonly SearchTerm[]): FullName[] {
  const textsIn = (field: SearchTerm['field']) => terms.filter((term) => term.field === field).map(({ text }) => text)
  const lastNames = new Set(textsIn('customerLastName'))
  return textsIn('customerFirstName')
    .filter((text) => lastNames.has(text) && !hasJoint(text))
    .flatMap((text) =>
      [...text.matchAll(/ /g)].map(({ index }) => ({ first: text.slice(0, index), last: text.slice(index + 1) })),
    )
    .filter(({ first, last }) => first.trim() !== '' && last.trim() !== '')
}

function isFullName({ first, last }: FullName): RawBuilder<boolean> {
  const [firstName, lastName] = [sql.ref(searchColumn('customerFirstName')), sql.ref(searchColumn('customerLastName'))]
  const isIn = isSearched(`${first}${separator}${last}`, 'anywhere')
  const ends = textPredicate(sql`${firstName}`, 'ends', first, 'plain')
  return sql`(${isIn} and ${ends} and ${textPredicate(sql`${lastName}`, 'starts', last, 'plain')})`
}
