/**
 * The monitoring lists operations that have a process type, and steps that have one of their own
 * (`<operation>:<position>`). Both are read in the order of their indexes, only as far as the page needs; pages in the
 * second half are read from the end.
 */
import type { MonitoringEntry, OperationState, ProcessType, QueryOf, Routes } from '@roomkeeper/contract'
import { type Db, queryComposed } from '#platform/database.ts'
import type { StepState } from './operation-record.ts'

/** With neither name nor processes nor kinds, everything matches. */
export interface MonitoringQuery extends Pick<QueryOf<Routes['monitoring']>, 'page' | 'size' | 'sort_by' | 'order_by'> {
  /** Part of a room's name; empty: names are not searched. */
  name: string
  processes: readonly ProcessType[]
  /** Kinds of operations, with the process that each has. */
  kinds: readonly { kind: string; process: ProcessType | null }[]
}

export interface MonitoringPage {
  data: MonitoringEntry[]
  totalElements: number
  totalPages: number
}

export async function findMonitoringPage(db: Db, query: MonitoringQuery): Promise<MonitoringPage> {
  const filter = filterOf(query)
  const total = await countEntries(db, filter)
  const totalPages = Math.ceil(total / query.size)
  if (query.page >= totalPages) return { data: [], totalElements: total, totalPages }
  const first = query.page * query.size
  const fromEnd = first > total / 2
  // From the start, a page always asks for `size` rows: entries added since the count may fill it up.
  const count = fromEnd ? Math.min(query.size, total - first) : query.size
  const skip = fromEnd ? total - first - count : first
  const descending = (query.order_by === 'desc') !== fromEnd
  const rows = await readEntries(db, { filter, sort: sortOf(query.sort_by), skip, count, descending })
  return { data: fromEnd ? rows.reverse() : rows, totalElements: total, totalPages }
}

interface Filter {
  ofOperations: string
  ofSteps: string
  values: unknown[]
}

function filterOf({ name, processes, kinds }: MonitoringQuery): Filter {
  const values: unknown[] = []
  const any = (value: unknown) => `$${values.push(value)}`
  // On `room_name` and `process_type`, columns of both tables.
  const common: string[] = []
  if (name !== '') common.push(`room_name ilike ${any(`%${name.replace(/[\\%_]/g, '\\$&')}%`)}`)
  if (processes.length > 0) common.push(`process_type = any(${any(processes)})`)
  const ofOperations = [...common]
  // There is no index of kinds: that of processes leaves few to look at.
  if (kinds.length > 0) {
    const ofKinds = any(kinds.map(({ process }) => process))
    ofOperations.push(`(process_type = any(${ofKinds}) and kind = any(${any(kinds.map(({ kind }) => kind))}))`)
  }
  const oneOf = (conditions: readonly string[]) => `and (${conditions.join(' or ')})`
  if (ofOperations.length === 0) return { ofOperations: '', ofSteps: '', values }
  return { ofOperations: oneOf(ofOperations), ofSteps: common.length === 0 ? 'and false' : oneOf(common), values }
}

const operationEntries = 'from operations where process_type is not null'
const stepEntries = 'from operation_steps where process_type is not null and started_at is not null'

async function countEntries(db: Db, { ofOperations, ofSteps, values }: Filter): Promise<number> {
  const [row] = await queryComposed<{ total: number }>(
    db,
    `select (select count(*) ${operationEntries} ${ofOperations}) + (select count(*) ${stepEntries} ${ofSteps}) as total`,
    values,
  )
  return row?.total ?? 0
}

/** The columns by which the two tables are sorted; the schema has indexes in these orders. */
interface Sort {
  ofOperations: string
  ofSteps: string
}

/** In the words of operations: an undone step is cancelled, and `isUndone` and `hasFailed` tell it apart. */
const stateOfStep = `case state when 'undone' then 'cancelled' else state end`

function sortOf(by: MonitoringQuery['sort_by']): Sort {
  switch (by) {
    case 'projectRoomName':
      return { ofOperations: 'room_name', ofSteps: 'room_name' }
    case 'region':
      return { ofOperations: regionRank, ofSteps: regionRank }
    case 'processType':
      return { ofOperations: 'process_type', ofSteps: 'process_type' }
    case 'executionTime':
      return { ofOperations: 'executed_at', ofSteps: 'started_at' }
    case 'state':
      return { ofOperations: 'state', ofSteps: stateOfStep }
  }
}

/** The rank of a region by name, cheap as regions are few; deleted regions come last, by id. */
const regionRank = `coalesce(
  array_position((select array_agg(id order by name collate "und-x-icu", id) from regions), region_id),
  1000000 + region_id)`

interface Reading {
  filter: Filter
  sort: Sort
  skip: number
  count: number
  descending: boolean
}

function readEntries(db: Db, { filter, sort, skip, count, descending }: Reading): Promise<MonitoringEntry[]> {
  const direction = descending ? 'desc' : 'asc'
  const order = (...keys: string[]) => keys.map((key) => `${key} ${direction}`).join(', ')
  const statement = `
    with page as (
      select operation_id, position, key, at from (
        (select id as operation_id, -1 as position, ${sort.ofOperations} as key, executed_at as at
           ${operationEntries} ${filter.ofOperations}
          order by ${order(sort.ofOperations, 'executed_at', 'id')} limit ${skip + count})
        union all
        (select operation_id, position, ${sort.ofSteps} as key, started_at as at
           ${stepEntries} ${filter.ofSteps}
          order by ${order(sort.ofSteps, 'started_at', 'operation_id', 'position')} limit ${skip + count})
      ) as entries
      order by ${order('key', 'at', 'operation_id', 'position')} offset ${skip} limit ${count}
    )
    select o.id::text || case when s.position is null then '' else ':' || s.position end as id,
           o.id as operation_id, o.kind, ${namedRegions('o')}, o.room_name as project_room_name,
           case when s.position is null then o.region_id else s.region_id end as region,
           coalesce(s.process_type, o.process_type) as process_type, page.at as execution_time,
           ${shownState} as state, ${wasUndoneFrom('done')} as is_undone, ${wasUndoneFrom('failed')} as has_failed,
           ${shownProgress} as progress,
           case when ${hasFailed} then o.error end as error_text,
           coalesce(case when ${hasFailed} then o.error_reasons end, '[]') as error_reasons
      from page
      join operations o on o.id = page.operation_id
      left join operation_steps s on s.operation_id = page.operation_id and s.position = page.position
     order by ${order('page.key', 'page.at', 'page.operation_id', 'page.position')}`
  return queryComposed<MonitoringEntry>(db, statement, filter.values)
}

const shownState = `case when s.position is null then o.state when s.state = 'undone' then 'cancelled' else s.state end`

const wasUndoneFrom = (state: 'done' | 'failed') =>
  `coalesce(s.state = 'undone' and s.state_before_undo = '${state}', false)`

/** What failed in an earlier attempt has nothing to do with the present error. */
const hasFailed = `o.state = 'failed' and (coalesce(s.state, o.state::text) = 'failed'
  or (${wasUndoneFrom('failed')} and s.started_at >= o.executed_at))`

/** Each step adds the same share to the operation's progress, so a step's own progress can be derived from it. */
const shownProgress = `case
  when s.position is null then o.progress
  when s.state = 'done' then 1
  when s.state <> 'running' then 0
  else greatest(0, least(1, o.progress
    * (select count(*) from operation_steps each where each.operation_id = o.id) - s.position)) end`

/** The operation of an entry and, if the entry is a step, the step's position. */
export function partsOfEntry(id: string): { operationId: string; position: number | null } {
  const [operationId = '', position] = id.split(':')
  return { operationId, position: position === undefined ? null : Number(position) }
}

interface Step {
  state: StepState
  /** Null: it is not undone. */
  stateBeforeUndo: 'running' | 'done' | 'failed' | null
}

/** How an undone step had ended before, as `monitoringEntry` tells it. */
export function beforeUndoOf({ state, stateBeforeUndo }: Step): Pick<MonitoringEntry, 'isUndone' | 'hasFailed'> {
  const isUndone = state === 'undone'
  return { isUndone: isUndone && stateBeforeUndo === 'done', hasFailed: isUndone && stateBeforeUndo === 'failed' }
}

/** The state of an operation that a step's state is shown as. */
export function stateOfEntry(step: StepState): OperationState {
  if (step === 'open') return 'waiting'
  return step === 'undone' ? 'cancelled' : step
}

/** The names of the regions that an operation's input names, for its title: columns of a statement. */
export function namedRegions(operations: string): string {
  const nameOf = (field: string) =>
    `(select named.name from regions named where named.id = (${operations}.input->>'${field}')::int)`
  return `${nameOf('sourceRegionId')} as source_region, ${nameOf('targetRegionId')} as target_region`
}
