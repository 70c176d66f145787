/** The query of get_tenants: which rooms to list, in which order. What its filters say is checked here. */
import {
  because,
  type CodedReason,
  type Comparison,
  type FilterCondition,
  failureCauses,
  filterConditions,
  indexedSearchFields,
  type Member,
  type RoomExportQuery,
  type RoomField,
  type RoomFieldName,
  type RoomFieldWith,
  roomFieldCatalogue,
  roomFields,
  roomFieldsWith,
  type SearchField,
  searchFields,
  wordFields,
} from '@roomkeeper/contract'
import { columnOf } from '#platform/column-names.ts'
import { refuse } from '#platform/refuse.ts'
import { columnOfField } from '../room-field-columns.ts'

export interface RoomCriteria {
  /** Combined with OR. An empty array matches every room. */
  search: SearchTerm[]
  /** Combined with AND: each must occur in one of the contract's `wordFields`. */
  words: string[]
  /** Combined with AND. */
  filters: RoomFilter[]
  sort: { field: RoomField; direction: Direction }
}

export type Direction = 'asc' | 'desc'

export interface SearchTerm {
  field: SearchField
  /** Not empty. */
  text: string
}

export interface RoomFilter {
  field: RoomField
  condition: Condition
}

/**
 * Matches a field for which the comparison holds with at least one of the values; if negated, with none of them. For an
 * empty field no comparison holds except equality with the empty value.
 */
export interface Condition {
  operator: Operator
  isNegated: boolean
  /** At least one. */
  values: string[]
}

export type Operator = TextOperator | 'equals' | 'less' | 'at-most' | 'more' | 'at-least'

/** Compares the wire form of a field as text, for a field of any type. */
export type TextOperator = 'contains' | 'starts' | 'ends'

/** `column` is its name in SQL. `none` is the value of the column that means no time; it sorts before all others. */
export type ColumnField = Comparison & { column: string; none?: string }

/** The column `last_backup_at` of a room without a backup. */
export const noBackup = '0001-01-01 00:00:00+00'

const sqlColumn = (field: RoomFieldName) => columnOf(columnOfField(field))
const columnFields = Object.fromEntries(
  roomFieldsWith('comparedAs').map((field) => {
    return [field, { ...roomFieldCatalogue[field].comparedAs, column: sqlColumn(field) }]
  }),
) as Record<RoomFieldWith<'comparedAs'>, ColumnField>

type OtherField =
  | { kind: 'region-name' }
  | { kind: 'customer' }
  | { kind: 'labels' }
  | { kind: 'pinned-note'; members: readonly Member[] }
  | { kind: 'failure-cause'; members: readonly Member[] }

/** How the list compares each field, and in which column. */
export const fields: Readonly<Record<RoomField, ColumnField | OtherField>> = {
  ...columnFields,
  state: columnFields.projectRoomState,
  regionName: { kind: 'region-name' },
  failureCause: { kind: 'failure-cause', members: failureCauses.map((name) => ({ name, wire: name })) },
  customer: { kind: 'customer' },
  labels: { kind: 'labels' },
  hasPinnedNote: { kind: 'pinned-note', members: ['false', 'true'].map((name) => ({ name, wire: name })) },
  lastBackup: { kind: 'time', column: 'last_backup_at', none: noBackup },
}

export function searchColumn(field: SearchField): string {
  return columnFields[field].column
}

/** The columns that make up `rooms.search`, in their order; the labels follow. */
export const searchedColumns: readonly string[] = wordFields.map(sqlColumn)
/** The first of them, up to the company, which are searched together. */
export const firstColumns: readonly string[] = indexedSearchFields.map(sqlColumn)
/** Stands between the texts in `rooms.search`. */
export const separator = '\x1f'
/** Stands there once instead, after the first columns. */
export const middle = '\x1e'
const joint = new RegExp(`[${separator}${middle}]`)

export function hasJoint(text: string): boolean {
  return joint.test(text)
}

/** In all filters of a query together. */
const mostValues = 200
/** More rooms than can be selected. */
const mostNames = 150_000

/** @throws Refusal `invalid-filter` */
export function parseRoomQuery(query: RoomExportQuery): RoomCriteria {
  const { order_by, order_dir, search_keys, search_values, filter_keys, filter_values, filter_conditions } = query
  if (search_keys.length !== search_values.length) throw invalid(because('search-lists-differ'))
  if (filter_keys.length !== filter_values.length || filter_keys.length !== filter_conditions.length)
    throw invalid(because('filter-lists-differ'))
  if (!isOneOf(roomFields, order_by)) throw invalid(because('not-sortable', { field: order_by }))
  const filters = filter_keys.map((key, index) =>
    filterOf(key, filter_conditions[index] ?? '', filter_values[index] ?? ''),
  )
  checkLength(filters)
  const search = search_keys.map((key, index) => searchTerm(key, search_values[index] ?? ''))
  return {
    search: search.filter(({ text }) => text !== ''),
    words: wordsOf(query.search),
    filters,
    sort: { field: order_by, direction: order_dir },
  }
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name)
}

/** A word that is part of another one says nothing more. */
function wordsOf(text: string): string[] {
  checkCharacters(text)
  const words = [...new Set(text.split(new RegExp(`\\s|${joint.source}`)))].filter((word) => word !== '')
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

function searchTerm(key: string, text: string): SearchTerm {
  if (!isOneOf(searchFields, key)) throw invalid(because('not-searchable', { field: key }))
  checkCharacters(text)
  return { field: key, text }
}

function filterOf(field: string, name: string, value: string): RoomFilter {
  if (!isOneOf(roomFields, field)) throw invalid(because('not-filterable', { field }))
  if (!isOneOf(filterConditions, name)) throw invalid(because('condition-unknown', { condition: name }))
  checkCharacters(value)
  const isNegated = name === 'NOT_EQUALS' || name === 'NOT_CONTAINS' || name === 'IS_NOT'
  const condition = { operator: operators[name], isNegated, values: value.split('||') }
  checkValues(field, condition)
  return { field, condition }
}

const operators: Readonly<Record<FilterCondition, Operator>> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'equals',
  IN: 'equals',
  IS: 'equals',
  IS_NOT: 'equals',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'contains',
  STARTS_WITH: 'starts',
  ENDS_WITH: 'ends',
  LT: 'less',
  BEFORE: 'less',
  LTE: 'at-most',
  GT: 'more',
  AFTER: 'more',
  GTE: 'at-least',
}

export function comparesText(operator: Operator): operator is TextOperator {
  return operator === 'contains' || operator === 'starts' || operator === 'ends'
}

/** Every room is compared with every value, but names are looked up. */
function checkLength(filters: readonly RoomFilter[]): void {
  const countOf = (some: readonly RoomFilter[]) => some.reduce((sum, { condition }) => sum + condition.values.length, 0)
  const names = countOf(filters.filter(isListOfNames))
  if (names <= mostNames && countOf(filters) - names <= mostValues) return
  throw invalid(because('filter-too-long', { max: mostValues, names: mostNames }))
}

/** Whether a filter asks for, or excludes, rooms by their names. */
export function isListOfNames({ field, condition }: RoomFilter): boolean {
  return field === 'tenantName' && condition.operator === 'equals'
}

/** Text in PostgreSQL cannot contain the NUL character. */
function checkCharacters(text: string): void {
  if (text.includes('\0')) throw invalid(because('searched-nul'))
}

function invalid(reason: CodedReason) {
  return refuse('invalid-filter', { reason })
}

/** Whether the values can be compared with the field. */
function checkValues(field: RoomField, { operator, values }: Condition): void {
  const found = fields[field]
  if (comparesText(operator) || found.kind === 'text') return
  if (found.kind === 'region-name' || found.kind === 'customer' || found.kind === 'labels') return
  switch (found.kind) {
    case 'closed':
    case 'failure-cause':
    case 'pinned-note':
    case 'shown-state': {
      const members = found.members.map(({ wire }) => wire)
      if (values.every((value) => members.includes(value))) return
      throw invalid(because('takes-one-of', { field, members: members.join(', ') }))
    }
    case 'number':
      if (values.every((value) => parseWholeNumber(value) !== null)) return
      throw invalid(because('takes-whole-number', { field }))
    case 'day':
    case 'time':
      if (values.every((value) => parseSpan(value) !== null || (operator === 'equals' && meansNoDate(value)))) return
      throw invalid(because('takes-time', { field }))
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
