/** Translates a query into an SQL condition on `rooms`, which also works on `room_totals` if that has the columns. */
import {
  codesOfCauses,
  type FailureCause,
  type Member,
  type ProjectRoomState,
  type RoomExportQuery,
  type RoomField,
} from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { hasPinnedNoteSql } from '../notes/pinned-notes.ts'
import type { RoomState } from '../stored-room.ts'
import {
  type ColumnField,
  type Condition,
  comparesText,
  fields,
  firstColumns,
  hasJoint,
  isListOfNames,
  meansNoDate,
  middle,
  type Operator,
  parseRoomQuery,
  parseSpan,
  parseWholeNumber,
  type RoomCriteria,
  type RoomFilter,
  type SearchTerm,
  searchColumn,
  searchedColumns,
  separator,
} from './query.ts'

export interface Matches {
  /** The condition on `rooms`. If `areSummarised`, it works on `room_totals` too. */
  where: RawBuilder<boolean>
  areSummarised: boolean
}

/**
 * Which rooms a query matches, for features that count the same rooms differently.
 * @param db a transaction where one is open: a second connection must not be waited for within it. @throws Refusal `invalid-filter`
 */
export async function matchingRooms(db: Db | Tx, query: RoomExportQuery): Promise<Matches> {
  const criteria = parseRoomQuery(query)
  return matchesOf(criteria, await regionsFor(criteria, db))
}

export function matchesOf({ search, words, filters }: RoomCriteria, regions: ListRegions): Matches {
  const conditions = [
    ...filters.map((filter) => filterSql(filter, regions)),
    ...(search.length > 0 ? [searchSql(search)] : []),
    ...words.map((word) => isInSearch(word, 'anywhere')),
  ]
  return {
    where: conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`,
    areSummarised: search.length === 0 && words.length === 0 && filters.every(isSummarised),
  }
}

/** What the list needs to know about regions. They are few, so they are read beforehand instead of joined. */
export interface ListRegions {
  /** Ordered by name. */
  ordered: readonly { id: number; name: string; isDisabled: boolean }[]
  disabledIds: readonly number[]
}

const allRegions = `select id, name, state = 'disabled' as is_disabled from regions order by name collate "und-x-icu", id`

/** The shown state is one of them, because it depends on the state of the region. */
const fieldsOfRegions: readonly RoomField[] = ['region', 'regionName', 'state', 'projectRoomState']

/** Most lists need no information about regions. */
export async function regionsFor(criteria: RoomCriteria, db: Db | Tx): Promise<ListRegions> {
  const areNeeded = [criteria.sort, ...criteria.filters].some(({ field }) => fieldsOfRegions.includes(field))
  return areNeeded ? readListRegions(db) : { ordered: [], disabledIds: [] }
}

export async function readListRegions(db: Db | Tx): Promise<ListRegions> {
  const ordered = await queryRows<ListRegions['ordered'][number]>(db, allRegions)
  return { ordered, disabledIds: ordered.filter(({ isDisabled }) => isDisabled).map(({ id }) => id) }
}

/** The rank of a room's region among the regions ordered by name. */
export function regionRankSql({ ordered }: ListRegions): RawBuilder<number> {
  return sql`array_position(array[${sql.join(ordered.map(({ id }) => sql.lit(id)))}]::integer[], region_id)`
}

const hiddenByRegion: readonly RoomState[] = ['DEFAULT', 'SUSPENDED']
const storedStates: readonly RoomState[] = ['DEFAULT', 'MARKED_FOR_DELETION', 'ERROR', 'SUSPENDED', 'IN_PROGRESS']

/** The state that operators see. */
export function shownState(stored: RoomState, regionIsDisabled: boolean): ProjectRoomState {
  return regionIsDisabled && hiddenByRegion.includes(stored) ? 'DISABLED_REGION' : stored
}

/** The same as an SQL expression of type text. */
export function shownStateSql({ disabledIds }: ListRegions): RawBuilder<ProjectRoomState> {
  if (disabledIds.length === 0) return sql`state::text`
  return sql`case when ${isIn('region_id', disabledIds)} and ${isIn('state', hiddenByRegion)}
    then 'DISABLED_REGION' else state::text end`
}

/** Selects rooms shown in one of these states, with plain conditions on columns so that indexes can be used. */
export function isShownAs(shown: readonly ProjectRoomState[], { disabledIds }: ListRegions): RawBuilder<boolean> {
  const statesWhere = (isDisabled: boolean) =>
    storedStates.filter((each) => shown.includes(shownState(each, isDisabled)))
  const [enabled, disabled] = [statesWhere(false), statesWhere(true)]
  if (disabledIds.length === 0 || enabled.join() === disabled.join()) return isIn('state', enabled)
  const inDisabled = isIn('region_id', disabledIds)
  return sql`((not ${inDisabled} and ${isIn('state', enabled)}) or (${inDisabled} and ${isIn('state', disabled)}))`
}

/** Puts the values into the text of the statement, so that the planner can look up how frequent each one is. */
export function isIn(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  if (values.length === 0) return sql`false`
  return sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}

const whenOfCause = Object.entries(codesOfCauses).map(
  ([cause, codes]) => sql`when codes ?| array[${sql.join(codes.map((code) => sql.lit(code)))}] then ${sql.lit(cause)}`,
)

/**
 * Why a room is in error: of the codes of its reasons, also those within others, the first cause decides. Null: it is
 * not in error. An expression of type text on `rooms`.
 */
export const failureCauseSql: RawBuilder<FailureCause | null> = sql`case when state = 'ERROR' then (
  select case ${sql.join(whenOfCause, sql` `)} else 'other' end
    from (select jsonb_path_query_array(error_reasons, '$.**.code')
              || jsonb_path_query_array(error_reasons, '$.**.refusal') as codes offset 0) as told) end`

/** The key of the customer whom a room belongs to. An expression of type text on `rooms`. */
export const customerSql: RawBuilder<string> = sql`coalesce((select root from customer_aliases where key = customer_key), customer_key)`

/** The keys of all spellings of the customers who are named by any of theirs: the index finds the rooms. */
function keysOfCustomers(names: readonly string[]): RawBuilder<string[]> {
  const roots = sql`select coalesce(root, given.key) as root
    from (select customer_key(name) as key from unnest(${names}::text[]) as name) as given
    left join customer_aliases on customer_aliases.key = given.key`
  return sql`array(select root from (${roots}) as named
    union select key from customer_aliases where root in (${roots}))`
}

/** For equality, the index finds the rooms. */
function labelsSql({ operator, isNegated, values }: Condition): RawBuilder<boolean> {
  const named = values.filter((value) => operator !== 'equals' || value !== '')
  const has =
    operator === 'equals'
      ? sql`label_keys && label_keys(${named}::text[])`
      : sql`exists (select from unnest(labels) as label
          where ${anyOf(named.map((value) => textSql(sql`label`, operator, value, true)))})`
  const matches = anyOf([
    ...(named.length > 0 ? [sql`(labels <> '{}' and ${has})`] : []),
    ...(named.length < values.length ? [sql`labels = '{}'`] : []),
  ])
  return isNegated ? sql`not ${matches}` : matches
}

/** The columns that `room_totals` also has, under the same names. */
const summarisedColumns: readonly string[] = ['region_id', 'state', 'product', 'edition', 'sales_channel']

/** Whether `room_totals` can tell how many rooms match. */
function isSummarised({ field }: RoomFilter): boolean {
  const found = fields[field]
  return found.kind === 'region-name' || ('column' in found && summarisedColumns.includes(found.column))
}

export function filterSql(filter: RoomFilter, regions: ListRegions): RawBuilder<boolean> {
  const { field, condition } = filter
  if (isListOfNames(filter)) return isOneOfNames(condition)
  const found = fields[field]
  switch (found.kind) {
    case 'closed':
      return isIn(found.column, matchingMembers(found.members, condition))
    case 'shown-state':
      return isShownAs(matchingMembers(found.members, condition) as never, regions)
    case 'failure-cause': {
      const causes = matchingMembers(found.members, { ...condition, isNegated: false })
      if (causes.length === 0) return condition.isNegated ? sql`true` : sql`false`
      // The state is named, so that its index finds the rooms.
      const matches = sql<boolean>`(state = 'ERROR' and ${failureCauseSql} in (${sql.join(causes.map((each) => sql.lit(each)))}))`
      return condition.isNegated ? sql`not ${matches}` : matches
    }
    case 'region-name': {
      const name = { kind: 'text', column: 'name', order: 'dictionary' } as const
      return sql`region_id in (select id from regions where ${anyValue(condition, (value) => valueSql(name, condition, value))})`
    }
    case 'customer': {
      const { operator, isNegated, values } = condition
      if (operator === 'equals')
        return sql`customer_key ${isNegated ? sql`<> all` : sql`= any`} (${keysOfCustomers(values)})`
      return anyValue(condition, (value) => textSql(customerSql, operator, value, true))
    }
    case 'labels':
      return labelsSql(condition)
    case 'pinned-note': {
      const members = matchingMembers(found.members, condition)
      if (members.length !== 1) return members.length === 0 ? sql`false` : sql`true`
      return members[0] === 'true' ? hasPinnedNoteSql : sql`not ${hasPinnedNoteSql}`
    }
    case 'text': {
      const matches = anyValue(condition, (value) => valueSql(found, condition, value))
      const held = condition.values.map((value) => heldInSearch(found.column, condition, value))
      return held.every((each) => each !== null) ? sql`(${anyOf(held)} and ${matches})` : matches
    }
    case 'number':
    case 'day':
    case 'time':
      return anyValue(condition, (value) => valueSql(found, condition, value))
  }
}

/**
 * A selection can be 100,000 rooms: a predicate for each would be compared with each, and take minutes to plan. Names
 * are lower case, so the unique index finds them.
 */
function isOneOfNames({ isNegated, values }: Condition): RawBuilder<boolean> {
  const names = textArray(values.map((value) => value.toLowerCase()))
  return isNegated ? sql`name <> all(${names})` : sql`name = any(${names})`
}

/** Evaluates the condition on a closed set in this process, not in SQL. */
function matchingMembers(members: readonly Member[], { operator, isNegated, values }: Condition): string[] {
  const rankOf = (wire: string) => members.findIndex((each) => each.wire === wire)
  const holds: Record<Operator, (wire: string, value: string) => boolean> = {
    equals: (wire, value) => wire === value,
    contains: (wire, value) => wire.toLowerCase().includes(value.toLowerCase()),
    starts: (wire, value) => wire.toLowerCase().startsWith(value.toLowerCase()),
    ends: (wire, value) => wire.toLowerCase().endsWith(value.toLowerCase()),
    less: (wire, value) => rankOf(wire) < rankOf(value),
    'at-most': (wire, value) => rankOf(wire) <= rankOf(value),
    more: (wire, value) => rankOf(wire) > rankOf(value),
    'at-least': (wire, value) => rankOf(wire) >= rankOf(value),
  }
  const matches = ({ wire }: Member) => values.some((value) => holds[operator](wire, value))
  return members.filter((member) => matches(member) !== isNegated).map(({ name }) => name)
}

/** @param conditions at least one */
function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** A comparison with an absent value yields NULL in SQL, which counts as a match if the condition is negated. */
function anyValue({ isNegated, values }: Condition, predicate: (value: string) => RawBuilder<boolean>) {
  const any = anyOf(values.map(predicate))
  return isNegated ? sql<boolean>`(${any} is not true)` : any
}

type Compared = Exclude<ColumnField, { kind: 'closed' | 'shown-state' }>

function valueSql(field: Compared, { operator }: Pick<Condition, 'operator'>, value: string): RawBuilder<boolean> {
  const column = sql.ref<string | null>(field.column)
  if (field.kind === 'text') return textSql(sql`${column}`, operator, value, field.order === 'dictionary')
  if (comparesText(operator)) return textSql(wireText(field), operator, value)
  if (field.kind === 'number') return sql`${column} ${comparisons[operator]} ${parseWholeNumber(value)}::integer`
  const span = parseSpan(value)
  if (span === null && !meansNoDate(value)) return sql`false`
  if (span === null) return field.none === undefined ? sql`${column} is null` : sql`${column} = ${sql.lit(field.none)}`
  if (field.kind === 'day') return sql`${column} ${comparisons[operator]} ${span.start.slice(0, 10)}::date`
  // A time is compared with the whole span.
  const [start, end] = [sql`${span.start}::timestamptz`, sql`${span.end}::timestamptz`]
  if (operator === 'equals') return sql`(${column} >= ${start} and ${column} < ${end})`
  const isBeforeEnd = operator === 'at-most' || operator === 'more'
  const sign = operator === 'less' || operator === 'at-most' ? sql`<` : sql`>=`
  return sql`${column} ${sign} ${isBeforeEnd ? end : start}`
}

const comparisons = {
  equals: sql`=`,
  less: sql`<`,
  'at-most': sql`<=`,
  more: sql`>`,
  'at-least': sql`>=`,
}

/** The value as text, written as on the wire; NULL for a time that never was. */
function wireText({ kind, column: name, none }: Compared): RawBuilder<string | null> {
  const column = none === undefined ? sql.ref(name) : sql`nullif(${sql.ref(name)}, ${sql.lit(none)})`
  if (kind === 'day') return sql`to_char(${column}, 'YYYY-MM-DD"T00:00:00.000Z"')`
  if (kind === 'time') return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql`${column}::text`
}

/**
 * Compares a text, regardless of case where it asks for equality or a part. For NULL it is only true if it asks for the
 * empty value.
 */
function textSql(
  text: RawBuilder<string | null>,
  operator: Operator,
  value: string,
  isInDictionary = false,
): RawBuilder<boolean> {
  switch (operator) {
    case 'equals':
      return value === '' ? sql`coalesce(${text}, '') = ''` : sql`lower(${text}) = lower(${value}::text)`
    case 'contains':
      return isLike(sql`lower(${text})`, `%${escapeLike(value)}%`)
    case 'starts':
      return isLike(sql`lower(${text})`, `${escapeLike(value)}%`)
    case 'ends':
      return isLike(sql`lower(${text})`, `%${escapeLike(value)}`)
    default:
      return sql`${text} ${isInDictionary ? sql`collate "und-x-icu"` : sql``} ${comparisons[operator]} ${value}`
  }
}

/** PostgreSQL converts both sides to lower case, so both follow the same rules for every letter. */
function isLike(lowered: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql`${lowered} like lower(${pattern}::text)`
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The search by fields: at least one term occurs in its field, regardless of case. */
function searchSql(terms: readonly SearchTerm[]): RawBuilder<boolean> {
  const texts = [...new Set(terms.map(({ text }) => text))]
  const inColumns = texts.map((text) => {
    const columns = terms.filter((term) => term.text === text).map(({ field }) => searchColumn(field))
    return isInColumns(text, columns)
  })
  return anyOf([...inColumns, ...fullNamesIn(terms).map(isFullName)])
}

function isInColumns(text: string, columns: readonly string[]): RawBuilder<boolean> {
  const areTogether = firstColumns.every((each) => columns.includes(each)) && !hasJoint(text)
  const single = columns.filter((column) => !areTogether || !firstColumns.includes(column))
  const matches = anyOf([
    ...(areTogether ? [isInSearch(text, 'in-first')] : []),
    ...single.map((column) => textSql(sql`${sql.ref(column)}`, 'contains', text)),
  ])
  const isNarrowed = single.length > 0 && hasTrigram(text) && single.every((each) => searchedColumns.includes(each))
  return isNarrowed ? sql`(${isInSearch(text, 'anywhere')} and ${matches})` : matches
}

/**
 * The texts with a blank that are searched in both names: a customer's whole name is in neither of them, and shown as
 * one. Each blank may be the one between the names.
 */
function fullNamesIn(terms: readonly SearchTerm[]): { first: string; last: string }[] {
  const textsIn = (field: SearchTerm['field']) => terms.filter((term) => term.field === field).map(({ text }) => text)
  const lastNames = new Set(textsIn('customerLastName'))
  return textsIn('customerFirstName')
    .filter((text) => lastNames.has(text) && !hasJoint(text))
    .flatMap((text) =>
      [...text.matchAll(/ /g)].map(({ index }) => ({ first: text.slice(0, index), last: text.slice(index + 1) })),
    )
    .filter(({ first, last }) => first.trim() !== '' && last.trim() !== '')
}

function isFullName({ first, last }: { first: string; last: string }): RawBuilder<boolean> {
  const column = (field: SearchTerm['field']) => sql<string>`${sql.ref(searchColumn(field))}`
  const ends = textSql(column('customerFirstName'), 'ends', first)
  const starts = textSql(column('customerLastName'), 'starts', last)
  return sql`(${isInSearch(`${first}${separator}${last}`, 'anywhere')} and ${ends} and ${starts})`
}

/** Whether the text is in one of the searched columns, or in one of the first of them. */
function isInSearch(text: string, where: 'anywhere' | 'in-first'): RawBuilder<boolean> {
  const pattern = `%${escapeLike(text)}%${where === 'in-first' ? `${middle}%` : ''}`
  // Without a trigram, another collation than the index's keeps the planner from reading the whole index first.
  return isLike(hasTrigram(text) ? sql`search` : sql`search collate "C"`, pattern)
}

/**
 * What the index of the search answers for all rooms for which the comparison holds, and perhaps for more: a field that
 * begins or ends with a text holds it together with what joins the fields there. Null: the index does not help.
 */
function heldInSearch(column: string, { operator, isNegated }: Condition, value: string): RawBuilder<boolean> | null {
  const place = searchedColumns.indexOf(column)
  if (place < 0 || isNegated || !(comparesText(operator) || operator === 'equals')) return null
  const joint = (index: number) => (index === firstColumns.length ? middle : separator)
  const before = operator === 'contains' || operator === 'ends' ? '' : joint(place)
  const after = operator === 'contains' || operator === 'starts' ? '' : joint(place + 1)
  if (!hasTrigram(`${before}${value}${after}`)) return null
  const begin = before !== '' && place === 0 ? '' : `%${before}`
  return isLike(sql`search`, `${begin}${escapeLike(value)}${after}%`)
}

/**
 * Whether the trigram index helps to find a text. For each word (letters and digits), padded with two spaces before and
 * one after, the index holds every run of three characters. A word at the beginning or end of the searched text may be
 * part of a longer word, so no padding counts there.
 */
function hasTrigram(text: string): boolean {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].some((word) => {
    const beginsInside = word.index > 0 ? 2 : 0
    const endsInside = word.index + word[0].length < text.length ? 1 : 0
    return beginsInside + [...word[0]].length + endsInside >= 3
  })
}
