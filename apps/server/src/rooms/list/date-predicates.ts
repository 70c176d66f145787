/** Compares dates with texts in SQL: whether they are written with a text, without writing each of them. */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from './any-of.ts'
import type { TextOperator } from './condition.ts'
import type { Span } from './filter-values.ts'
import { coveredYears, daysWritten, otherSpans, type Recurring, type Times, timesWritten } from './parts-of-dates.ts'
import { textPredicate, wireText } from './text-predicates.ts'

interface Written {
  /** Of type `date` or `timestamptz`. */
  column: RawBuilder<unknown>
  operator: TextOperator
  value: string
  /** Then it is true for NULL as well. */
  isNegated: boolean
  /** See condition.ts. */
  writesDates: boolean
}

export function dayIsWritten({ column, operator, value, isNegated, writesDates }: Written): RawBuilder<boolean> {
  const asText = textIsWritten({ column, operator, value, isNegated }, 'day')
  const known = writesDates ? null : daysWritten(operator, value)
  if (known === null) return asText
  const [start, end] = [coveredYears.start, coveredYears.end].map((moment) => sql`${moment.slice(0, 10)}::date`)
  const days = sql`${known.days}::date[]`
  const isOne =
    known.areExcluded === isNegated
      ? sql<boolean>`${column} = any(${days})`
      : sql<boolean>`(${column} >= ${start} and ${column} < ${end} and ${column} <> all(${days}))`
  const isOutside = sql<boolean>`((${column} < ${start} or ${column} >= ${end}) and ${asText})`
  return anyOf([isOne, isOutside, ...(isNegated ? [sql<boolean>`${column} is null`] : [])])
}

/** So many spans are looked up in an index of the column; more are compared with each of its times. */
const mostLookedUp = 30

export function timeIsWritten({ column, operator, value, isNegated, writesDates }: Written): RawBuilder<boolean> {
  const asText = textIsWritten({ column, operator, value, isNegated }, 'time')
  const known = writesDates ? null : timesWritten(operator, value)
  if (known === null) return asText
  const covered = sql`${column} >= ${coveredYears.start}::timestamptz and ${column} < ${coveredYears.end}::timestamptz`
  const spans = lookedUp(known, isNegated)
  if (spans !== null) {
    const isOutside = sql<boolean>`((${column} < ${coveredYears.start}::timestamptz or ${column} >= ${coveredYears.end}::timestamptz) and ${asText})`
    const isAbsent = isNegated ? [sql<boolean>`${column} is null`] : []
    return anyOf([...spans.map((span) => isWithin(column, span)), isOutside, ...isAbsent])
  }
  const matches = anyOf(known.map((each) => isOneOf(column, each)))
  return sql`case when ${covered} then ${isNegated ? sql`not ${matches}` : matches} else ${asText} end`
}

/** All times in question, if they are a few spans. */
function lookedUp(known: readonly Times[], isNegated: boolean): Span[] | null {
  const [first, ...others] = known
  if (first === undefined) return isNegated ? [coveredYears] : []
  if (others.length > 0 || first.recurring !== null || first.spans.length >= mostLookedUp) return null
  return isNegated ? otherSpans(first.spans) : first.spans
}

function isOneOf(column: RawBuilder<unknown>, { spans, recurring }: Times): RawBuilder<boolean> {
  const parts = [
    ...(recurring === null ? [] : [comesBack(column, recurring)]),
    ...(spans[0] === coveredYears ? [] : [isWithinOne(column, spans)]),
  ]
  return sql`(${sql.join(parts, sql` and `)})`
}

function isWithin(column: RawBuilder<unknown>, { start, end }: Span): RawBuilder<boolean> {
  return sql`(${column} >= ${start}::timestamptz and ${column} < ${end}::timestamptz)`
}

function isWithinOne(column: RawBuilder<unknown>, spans: readonly Span[]): RawBuilder<boolean> {
  const ranges = `{${spans.map(({ start, end }) => `[${start},${end})`).join()}}`
  return sql`${column} <@ ${ranges}::tstzmultirange`
}

/** Whether less than `length` has passed since the period's last moment of that kind. */
function comesBack(column: RawBuilder<unknown>, { period, offset, length }: Recurring): RawBuilder<boolean> {
  const since = new Date(Date.parse(coveredYears.start) + offset).toISOString()
  const milliseconds = (count: number) => sql`${`${count} milliseconds`}::interval`
  return sql`date_bin(${milliseconds(period)}, ${column}, ${since}::timestamptz) > ${column} - ${milliseconds(length)}`
}

function textIsWritten(
  { column, operator, value, isNegated }: Omit<Written, 'writesDates'>,
  kind: 'day' | 'time',
): RawBuilder<boolean> {
  const matches = textPredicate(wireText(column, kind), operator, value, 'plain')
  return isNegated ? sql`(${matches} is not true)` : matches
}
