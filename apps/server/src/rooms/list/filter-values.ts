/** Parses and validates the values of a filter according to the kind of the filtered field. */
import { because, type CodedReason, type RoomField } from '@roomkeeper/contract'
import { type Condition, comparesText, type Operator } from './condition.ts'
import { type Field, fields } from './fields.ts'

/** Why the values cannot be compared with the field, or null. */
export function whyWrongValues(field: RoomField, condition: Condition): CodedReason | null {
  if (comparesText(condition.operator)) return null
  const found = fields[field]
  const isWrong = condition.values.some((value) => !canBeCompared(found, condition.operator, value))
  return isWrong ? expectedValues(field, found) : null
}

function expectedValues(field: RoomField, found: Field): CodedReason {
  switch (found.kind) {
    case 'text':
    case 'region-name':
      return because('takes-text', { field })
    case 'closed':
    case 'shown-state':
      return because('takes-one-of', { field, members: found.members.map(({ wire }) => wire).join(', ') })
    case 'number':
      return because('takes-whole-number', { field })
    case 'day':
    case 'time':
      return because('takes-time', { field })
  }
}

function canBeCompared(field: Field, operator: Operator, value: string): boolean {
  switch (field.kind) {
    case 'text':
    case 'region-name':
      return true
    case 'closed':
    case 'shown-state':
      return field.members.some(({ wire }) => wire === value)
    case 'number':
      return parseWholeNumber(value) !== null
    case 'day':
    case 'time':
      return parseSpan(value) !== null || (operator === 'equals' && meansNoDate(value))
  }
}

/** Whether the value stands for an absent date. */
export function meansNoDate(value: string): boolean {
  return value === '' || value === 'null'
}

/** @returns null if the text is not a whole number within the range of PostgreSQL's integer */
export function parseWholeNumber(text: string): number | null {
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(number) <= 2_147_483_647 ? number : null
}

/** From `start` until before `end`, both ISO times in UTC. */
export interface Span {
  start: string
  end: string
}

/** A date spans a whole day in UTC, a time spans a millisecond. @returns null if the text is neither */
export function parseSpan(text: string): Span | null {
  const found = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text)
  const [, day, time] = found ?? []
  if (day === undefined || !isCalendarDay(day)) return null
  const start = new Date(time === undefined ? `${day}T00:00:00Z` : text)
  // PostgreSQL has no year 0.
  if (Number.isNaN(start.getTime()) || start.getUTCFullYear() < 1 || start.getUTCFullYear() > 9998) return null
  const length = time === undefined ? 24 * 60 * 60 * 1000 : 1
  return { start: start.toISOString(), end: new Date(start.getTime() + length).toISOString() }
}

function isCalendarDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
