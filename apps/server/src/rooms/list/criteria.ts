/** Parses and validates the query of get_tenants: which rooms to list, in which order. */
import { because, type CodedReason, type RoomExportQuery, type RoomField, type SearchField } from '@roomkeeper/contract'
import { refuse } from '#platform/refuse.ts'
import { type Condition, parseCondition } from './condition.ts'
import { isRoomField, isSearchField, middle, separator } from './fields.ts'
import { whyWrongValues } from './filter-values.ts'

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

/** In all filters of a query together. */
const mostValues = 200
/** More rooms than can be selected. */
const mostNames = 150_000

/** @throws Refusal `invalid-filter` */
export function parseRoomQuery(query: RoomExportQuery): RoomCriteria {
  const { order_by, order_dir, search_keys, search_values, filter_keys, filter_values, filter_conditions } = query
  if (search_keys.length !== search_values.length) {
    throw invalid(because('search-lists-differ'))
  }
  if (filter_keys.length !== filter_values.length || filter_keys.length !== filter_conditions.length) {
    throw invalid(because('filter-lists-differ'))
  }
  if (!isRoomField(order_by)) throw invalid(because('not-sortable', { field: order_by }))
  const filters = filter_keys.map((key, index) =>
    filter(key, filter_conditions[index] ?? '', filter_values[index] ?? ''),
  )
  checkLength(filters)
  return {
    search: search_keys
      .map((key, index) => searchTerm(key, search_values[index] ?? ''))
      .filter(({ text }) => text !== ''),
    words: wordsOf(query.search),
    filters,
    sort: { field: order_by, direction: order_dir },
  }
}

/** A word that is part of another one says nothing more. */
function wordsOf(text: string): string[] {
  checkCharacters(text)
  const words = [...new Set(text.split(new RegExp(`[\\s${separator}${middle}]+`, 'u')))].filter((word) => word !== '')
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

function searchTerm(key: string, text: string): SearchTerm {
  if (!isSearchField(key)) throw invalid(because('not-searchable', { field: key }))
  checkCharacters(text)
  return { field: key, text }
}

function filter(field: string, conditionName: string, value: string): RoomFilter {
  if (!isRoomField(field)) throw invalid(because('not-filterable', { field }))
  const condition = parseCondition(conditionName, value)
  if (condition === null) throw invalid(because('condition-unknown', { condition: conditionName }))
  checkCharacters(value)
  const wrong = whyWrongValues(field, condition)
  if (wrong !== null) throw invalid(wrong)
  return { field, condition }
}

/** Every room is compared with every value, but names are looked up. */
function checkLength(filters: readonly RoomFilter[]): void {
  const countOf = (some: readonly RoomFilter[]) => some.reduce((sum, { condition }) => sum + condition.values.length, 0)
  const [names, others] = [filters.filter(isListOfNames), filters.filter((each) => !isListOfNames(each))]
  if (countOf(names) <= mostNames && countOf(others) <= mostValues) return
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
