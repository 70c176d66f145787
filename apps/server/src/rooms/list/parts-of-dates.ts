/**
 * Finds out which days and times of day are written with a text: PostgreSQL compares moments ten times as fast as it
 * writes them. A time is written as `2025-05-17T14:35:59.999Z`, a day as its first moment.
 */
import { holdsPart, type TextOperator } from './condition.ts'
import type { Span } from './filter-values.ts'

/** The hundred years that are known here. */
export const coveredYears: Span = { start: '2000-01-01T00:00:00.000Z', end: '2100-01-01T00:00:00.000Z' }

interface Days {
  /** Whether the days are those that do not match. */
  areExcluded: boolean
  /** As `2025-05-17`. */
  days: string[]
}

/** Times that come back after each period: since `offset` milliseconds of it, for `length` milliseconds. */
export interface Recurring {
  period: number
  offset: number
  length: number
}

/** Times that lie in one of the spans, which are in order and apart, and come back as `recurring` says. */
export interface Times {
  spans: Span[]
  recurring: Recurring | null
}

/** More than these are not worth being sent; so many days are those of a month in each year. */
const mostDays = 4_000
const mostSpans = 2_000

/** Which of the covered days match. @returns null if they are too many */
export function daysWritten(operator: TextOperator, value: string): Days | null {
  const text = value.toLowerCase()
  const [matching, others]: [string[], string[]] = [[], []]
  for (const { day, written } of coveredDays()) (holdsPart(written, operator, text) ? matching : others).push(day)
  if (matching.length <= mostDays) return { areExcluded: false, days: matching }
  return others.length <= mostDays ? { areExcluded: true, days: others } : null
}

/** Which times of the covered years match: those of each of these. @returns null if they are too many */
export function timesWritten(operator: TextOperator, value: string): Times[] | null {
  const text = value.toLowerCase()
  if (text.length > longest) return []
  const times = [
    ...recurringTimes(operator, text).map((recurring) => ({ spans: [coveredYears], recurring })),
    { spans: spansOfDays(operator, text), recurring: null },
    ...timesOfDays(operator, text),
  ].map(({ spans, recurring }) => ({ spans, recurring: recurring?.length === recurring?.period ? null : recurring }))
  if (text === '' || times.some(areAll)) return [{ spans: [coveredYears], recurring: null }]
  if (times.some(({ spans }) => spans.length > mostSpans)) return null
  return times.filter(({ spans }) => spans.length > 0)
}

/** What the covered years have beside these spans. */
export function otherSpans(spans: readonly Span[]): Span[] {
  const starts = [coveredYears.start, ...spans.map(({ end }) => end)]
  const ends = [...spans.map(({ start }) => start), coveredYears.end]
  return starts.map((start, index) => ({ start, end: ends[index] ?? start })).filter(({ start, end }) => start < end)
}

function areAll({ spans: [first], recurring }: Times): boolean {
  return first?.start === coveredYears.start && first.end === coveredYears.end && recurring === null
}

const midnight = 't00:00:00.000z'
const lengthOfDay = '2025-05-17'.length
const longest = lengthOfDay + midnight.length

/** The text lies within the day. */
function spansOfDays(operator: TextOperator, text: string): Span[] {
  if (operator === 'ends') return []
  return runsOf((day) => holdsPart(day, operator, text))
}

/** The text begins in the day and ends in the time, of which only the 't' between them is a letter. */
function timesOfDays(operator: TextOperator, text: string): Times[] {
  const middle = text.indexOf('t')
  const ends = operator === 'ends' && longest - text.length + middle !== lengthOfDay
  if (middle < 1 || ends) return []
  const [part, time] = [text.slice(0, middle), text.slice(middle)]
  const recurring = recurringAt(0, time)
  if (recurring === null) return []
  return [{ spans: runsOf((day) => (operator === 'starts' ? day === part : day.endsWith(part))), recurring }]
}

/** The text lies within the time, perhaps at several places. */
function recurringTimes(operator: TextOperator, text: string): Recurring[] {
  if (operator === 'starts') return []
  const last = midnight.length - text.length
  const places = operator === 'ends' ? [last] : Array.from({ length: last + 1 }, (_, place) => place)
  return places.flatMap((place) => recurringFrom(place, text))
}

/** The second digit of an hour says less than a day and more than any part of it. */
function recurringFrom(place: number, text: string): Recurring[] {
  if (place < 0) return []
  if (place !== secondDigitOfHour) return [recurringAt(place, text) ?? []].flat()
  return ['0', '1', '2'].flatMap((tens) => recurringAt(place - 1, `${tens}${text}`) ?? [])
}

const secondDigitOfHour = 2
const digitOrSign = /^\d$/
const [hour, minute, second] = [3_600_000, 60_000, 1_000]
/** What each character of `t14:35:59.999z` stands for: milliseconds, and after how many its digit comes back. */
const characters: readonly ({ sign: string; period: number } | { unit: number; count: number; period: number })[] = [
  { sign: 't', period: 24 * hour },
  { unit: 10 * hour, count: 3, period: 24 * hour },
  { unit: hour, count: 10, period: 24 * hour },
  { sign: ':', period: hour },
  { unit: 10 * minute, count: 6, period: hour },
  { unit: minute, count: 10, period: 10 * minute },
  { sign: ':', period: minute },
  { unit: 10 * second, count: 6, period: minute },
  { unit: second, count: 10, period: 10 * second },
  { sign: '.', period: second },
  { unit: 100, count: 10, period: second },
  { unit: 10, count: 10, period: 100 },
  { unit: 1, count: 10, period: 10 },
  { sign: 'z', period: 1 },
]

/** The times in which the text stands at this place. @returns null if it cannot stand there */
function recurringAt(place: number, text: string): Recurring | null {
  const period = characters[place]?.period
  if (period === undefined) return null
  let [offset, length] = [0, period]
  for (const [index, character] of [...text].entries()) {
    const expected = characters[place + index]
    if (expected === undefined) return null
    if ('sign' in expected) {
      if (character !== expected.sign) return null
    } else {
      if (!digitOrSign.test(character) || Number(character) >= expected.count) return null
      offset += Number(character) * expected.unit
      length = expected.unit
    }
  }
  return offset < period ? { period, offset, length: Math.min(length, period - offset) } : null
}

/** Days that follow each other are one span. */
function runsOf(matches: (day: string) => boolean): Span[] {
  const spans: Span[] = []
  let start: string | null = null
  for (const { day } of coveredDays()) {
    const isIn = matches(day)
    if (isIn) start ??= `${day}${midnight.toUpperCase()}`
    if (isIn || start === null) continue
    spans.push({ start, end: `${day}${midnight.toUpperCase()}` })
    start = null
  }
  if (start !== null) spans.push({ start, end: coveredYears.end })
  return spans
}

interface WrittenDay {
  /** As `2025-05-17`. */
  day: string
  /** In lower case. */
  written: string
}

let days: WrittenDay[] | null = null

function coveredDays(): WrittenDay[] {
  days ??= listDays()
  return days
}

function listDays(): WrittenDay[] {
  const [first, end] = [Date.parse(coveredYears.start), Date.parse(coveredYears.end)]
  return Array.from({ length: (end - first) / (24 * hour) }, (_, index) => {
    const written = new Date(first + index * 24 * hour).toISOString().toLowerCase()
    return { day: written.slice(0, lengthOfDay), written }
  })
}
