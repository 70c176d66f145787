/** Translates a filter into an SQL condition on `rooms`, which also works on `room_totals` if that has the column. */
import type { Member } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import { anyOf } from './any-of.ts'
import { type Condition, comparesText, holdsPart, type Operator } from './condition.ts'
import { isListOfNames, type RoomFilter } from './criteria.ts'
import { type ColumnField, fields, searchedColumns, summarisedColumns } from './fields.ts'
import { meansNoDate, parseSpan, parseWholeNumber } from './filter-values.ts'
import { searchHolds } from './framed-texts.ts'
import type { ListRegions } from './regions.ts'
import { isIn, isShownAs } from './shown-state.ts'
import { textPredicate, wireText } from './text-predicates.ts'

/** Whether `room_totals` can tell how many rooms match. */
export function isSummarised({ field }: RoomFilter): boolean {
  const found = fields[field]
  switch (found.kind) {
    case 'shown-state':
    case 'region-name':
      return true
    case 'closed':
    case 'number':
    case 'text':
    case 'day':
    case 'time':
      return summarisedColumns.includes(found.column)
  }
}

export function filterSql(filter: RoomFilter, regions: ListRegions): RawBuilder<boolean> {
  const { field, condition } = filter
  if (isListOfNames(filter)) return nameIsIn(condition)
  const found = fields[field]
  switch (found.kind) {
    case 'closed':
      return isIn(found.column, matchingMembers(found.members, condition))
    case 'shown-state':
      return isShownAs(matchingMembers(found.members, condition) as never, regions)
    case 'region-name': {
      const name = { kind: 'text', column: 'name', order: 'dictionary' } as const
      return sql`region_id in (select id from regions where ${anyValue(condition, (value) => valueSql(name, condition, value))})`
    }
    case 'day':
    case 'time':
      return dateSql(found, condition)
    case 'text':
    case 'number': {
      const matches = anyValue(condition, (value) => valueSql(found, condition, value))
      const holds = found.kind === 'text' ? narrowed(found.column, condition) : null
      return holds === null ? matches : sql`(${holds} and ${matches})`
    }
  }
}

/**
 * A selection can be 100,000 rooms: a predicate for each would be compared with each, and take minutes to plan. Names
 * are lower case, so the unique index finds them.
 */
function nameIsIn({ isNegated, values }: Condition): RawBuilder<boolean> {
  const names = textArray(values.map((value) => value.toLowerCase()))
  return isNegated ? sql`name <> all(${names})` : sql`name = any(${names})`
}

/** Evaluates the condition on a closed set in this process, not in SQL. */
function matchingMembers(members: readonly Member[], { operator, isNegated, values }: Condition): string[] {
  const rankOf = (wire: string) => members.findIndex((each) => each.wire === wire)
  const matches = (member: Member) => values.some((value) => memberMatches(member.wire, operator, value, rankOf))
  return members.filter((member) => matches(member) !== isNegated).map(({ name }) => name)
}

function memberMatches(wire: string, operator: Operator, value: string, rankOf: (wire: string) => number): boolean {
  switch (operator) {
    case 'equals':
      return wire === value
    case 'contains':
    case 'starts':
    case 'ends':
      return holdsPart(wire.toLowerCase(), operator, value.toLowerCase())
    case 'less':
      return rankOf(wire) < rankOf(value)
    case 'at-most':
      return rankOf(wire) <= rankOf(value)
    case 'more':
      return rankOf(wire) > rankOf(value)
    case 'at-least':
      return rankOf(wire) >= rankOf(value)
  }
}

/** A comparison with an absent value yields NULL in SQL, which counts as a match if the condition is negated. */
function anyValue({ isNegated, values }: Condition, predicate: (value: string) => RawBuilder<boolean>) {
  const any = anyOf(values.map(predicate))
  return isNegated ? sql<boolean>`(${any} is not true)` : any
}

type Compared = Extract<ColumnField, { kind: 'text' | 'number' }>

function valueSql(field: Compared, { operator }: Condition, value: string): RawBuilder<boolean> {
  const column = sql.ref<string | null>(field.column)
  if (field.kind === 'text') return textPredicate(sql`${column}`, operator, value, field.order)
  if (comparesText(operator)) return textPredicate(wireText(column, 'number'), operator, value, 'plain')
  return sql`${column} ${comparison(operator)} ${parseWholeNumber(value)}::integer`
}

type DateField = Extract<ColumnField, { kind: 'day' | 'time' }>

function dateSql(field: DateField, condition: Condition): RawBuilder<boolean> {
  const { operator } = condition
  if (!comparesText(operator)) return anyValue(condition, (value) => momentSql(field, operator, value))
  const column = sql.ref(field.column)
  const moment = field.none === undefined ? column : sql`nullif(${column}, ${sql.lit(field.none)})`
  return anyValue(condition, (value) => textPredicate(wireText(moment, field.kind), operator, value, 'plain'))
}

function momentSql({ kind, column: name, none }: DateField, operator: Operator, value: string): RawBuilder<boolean> {
  const column = sql.ref(name)
  const span = parseSpan(value)
  if (span === null && !meansNoDate(value)) return sql`false`
  if (span === null) return none === undefined ? sql`${column} is null` : sql`${column} = ${sql.lit(none)}`
  if (kind === 'day') return sql`${column} ${comparison(operator)} ${span.start.slice(0, 10)}::date`
  return timeSql(column, operator, span)
}

function timeSql(column: RawBuilder<unknown>, operator: Operator, span: { start: string; end: string }) {
  const start = sql`${span.start}::timestamptz`
  const end = sql`${span.end}::timestamptz`
  switch (operator) {
    case 'less':
      return sql<boolean>`${column} < ${start}`
    case 'at-most':
      return sql<boolean>`${column} < ${end}`
    case 'more':
      return sql<boolean>`${column} >= ${end}`
    case 'at-least':
      return sql<boolean>`${column} >= ${start}`
    default:
      return sql<boolean>`(${column} >= ${start} and ${column} < ${end})`
  }
}

function comparison(operator: Operator): RawBuilder<unknown> {
  switch (operator) {
    case 'less':
      return sql`<`
    case 'at-most':
      return sql`<=`
    case 'more':
      return sql`>`
    case 'at-least':
      return sql`>=`
    default:
      return sql`=`
  }
}

/** What the index of the search answers for all rooms that the condition can match, and perhaps more; null: nothing. */
function narrowed(column: string, { operator, isNegated, values }: Condition): RawBuilder<boolean> | null {
  const isPart = comparesText(operator) || operator === 'equals'
  if (isNegated || !isPart || !searchedColumns.includes(column)) return null
  const held = values.map((value) => searchHolds(column, operator, value))
  return held.every((each) => each !== null) ? anyOf(held) : null
}
