/** The options by which commands choose project rooms, as the query of the list. */

import {
  editions,
  type FilterCondition,
  products,
  projectRoomStates,
  type RoomField,
  type RoomFieldEntry,
  roomFieldCatalogue,
  roomFields,
} from '@roomkeeper/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { labelsOf, nonEmptyText, someOf } from '#arguments.ts'

interface RoomFilter {
  field: RoomField
  condition: FilterCondition
  value: string
}

export interface RoomQueryOptions {
  search?: string
  filter?: RoomFilter[]
  state?: string[]
  region?: string
  product?: string[]
  edition?: string[]
  label?: string[]
}

export function addQueryOptions(command: Command): Command {
  return command
    .option(
      '-s, --search <words>',
      'every word occurs in name, customer, e-mail, company, SAP number or label',
      nonEmptyText,
    )
    .option(
      '-f, --filter <filter>',
      "such as 'companyName~Example' or 'expirationDate<2027-01-31'; several: all have to hold",
      collect,
    )
    .option('--state <state>', 'only rooms in these states, joined by commas', someOf(projectRoomStates))
    .option('--region <region>', 'only rooms in this region, by name or id', nonEmptyText)
    .option('--product <product>', 'only rooms of these products', someOf(products))
    .option('--edition <edition>', 'only rooms of these editions', someOf(editions))
    .option('--label <label>', 'only rooms with one of these labels, joined by commas', labelsOf)
}

/** Separates values when any one of them may match. */
const anyOf = '||'
/** Given in a filter for a field without a value. */
const noValue = "''"

/** Longer ones first: `<=` is not `<`. */
const conditions: readonly (readonly [string, FilterCondition])[] = [
  ['!=', 'NOT_EQUALS'],
  ['!~', 'NOT_CONTAINS'],
  ['^=', 'STARTS_WITH'],
  ['$=', 'ENDS_WITH'],
  ['<=', 'LTE'],
  ['>=', 'GTE'],
  ['=', 'EQUALS'],
  ['~', 'CONTAINS'],
  ['<', 'LT'],
  ['>', 'GT'],
]

function collect(text: string, earlier: RoomFilter[] = []): RoomFilter[] {
  const [, field = '', rest = ''] = /^(\w+)(.*)$/s.exec(text) ?? []
  const found = conditions.find(([sign]) => rest.startsWith(sign))
  if (found === undefined)
    throw new InvalidArgumentError(
      `A filter is a field, one of ${conditions.map(([sign]) => sign).join(' ')}, and a value.`,
    )
  if (!(roomFields as readonly string[]).includes(field))
    throw new InvalidArgumentError(`There is no field ${field}. Fields: ${roomFields.join(', ')}.`)
  const [sign, condition] = found
  const value = rest.slice(sign.length)
  // Every text begins with an empty one, and a script may have no value for its variable.
  if (value.split(anyOf).some((each) => each.trim() === ''))
    throw new InvalidArgumentError(`After ${sign} there is no value. Rooms without one: ${field}=''`)
  const compared = value.split(anyOf).map((each) => (each === noValue ? '' : each))
  return [...earlier, filterOf(field as RoomField, condition, compared.join(anyOf))]
}

function filterOf(field: RoomField, condition: FilterCondition, value: string): RoomFilter {
  return { field, condition, value: wireValue(field, value) }
}

/** Names of closed sets are numbers on the wire. */
function wireValue(field: RoomField, value: string): string {
  const entries: Readonly<Record<string, RoomFieldEntry | undefined>> = roomFieldCatalogue
  const compared = entries[field]?.comparedAs
  const members = compared !== undefined && 'members' in compared ? compared.members : []
  const wireOf = (each: string) => members.find(({ name }) => name.toLowerCase() === each.toLowerCase())?.wire ?? each
  return value.split(anyOf).map(wireOf).join(anyOf)
}

/** The query of the list, without its order. */
export function roomQuery(options: RoomQueryOptions) {
  const filters = [...(options.filter ?? []), ...shortcuts(options)]
  return {
    search: options.search ?? '',
    filter_keys: filters.map(({ field }) => field as string),
    filter_conditions: filters.map(({ condition }) => condition as string),
    filter_values: filters.map(({ value }) => value),
  }
}
export type RoomQuery = ReturnType<typeof roomQuery>

export function isFiltered(options: RoomQueryOptions): boolean {
  return options.search !== undefined || (options.filter ?? []).length > 0 || shortcuts(options).length > 0
}

function shortcuts({ state, region, product, edition, label }: RoomQueryOptions): RoomFilter[] {
  const isId = region !== undefined && /^\d+$/.test(region)
  const given: [RoomField, string | undefined][] = [
    ['projectRoomState', state?.join(anyOf)],
    [isId ? 'region' : 'regionName', region],
    ['product', product?.join(anyOf)],
    ['edition', edition?.join(anyOf)],
    ['labels', label?.join(anyOf)],
  ]
  return given.flatMap(([field, value]) => (value === undefined ? [] : [filterOf(field, 'EQUALS', value)]))
}
