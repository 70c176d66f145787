/** The records of bulks and their rooms: writes them, reads them, as the wire shows them, and removes old ones. */
import type { Readable } from 'node:stream'
import type { Bulk, BulkAction, BulkItem, BulkItemState, CsvForm, Role } from '@roomkeeper/contract'
import {
  countItemsOf,
  type ItemCounts,
  type ItemState,
  noItems,
  paceOfItems,
  regionsWaitedFor,
  secondsLeft,
} from '#operations/index.ts'
import { exportReader, type Reading } from '#operators/index.ts'
import { defusedSql } from '#platform/csv.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { type Action, readAction, regionsNeededFor, waitsUntilBack, writeParameters } from './actions.ts'
import { tidySelections } from './selection.ts'

interface NewBulk {
  /** The same as its operation's. */
  id: string
  action: Action
  total: number
  startedBy: string
  role: Role
  access: Bulk['access']
}

export async function insertBulk(tx: Tx, { id, action, total, startedBy, role, access }: NewBulk): Promise<void> {
  await queryRows(
    tx,
    `insert into bulks (id, action, parameters, total, started_by, acts_for, role, access)
     values ($1, $2, $3, $4, $5, $5, $6, $7)`,
    [id, action.action, JSON.stringify(writeParameters(action)), total, startedBy, role, access],
  )
}

type Row = Omit<Bulk, 'counts' | 'roomsPerSecond' | 'secondsLeft' | 'waitsFor'> & { isOfWholeRegions: boolean }

const select = `
  select b.id, b.action, b.state, b.parameters, b.total, b.access, b.started_by, b.started_at, b.ended_at,
         (select i.room_name from operation_items i where i.parent_id = b.id order by i.room_id limit 1) as example_room,
         coalesce(o.cancel_requested and o.ended_at is null, false) as is_cancelling,
         coalesce(o.state = 'failed' and not o.cancel_requested, false) as can_retry,
         coalesce(o.kind = 'system-databases.update', false) as is_of_whole_regions
    from bulks b left join operations o on o.id = b.id`

/** @throws Refusal `bulk-unknown` */
export async function findBulk(db: Db, id: string): Promise<Bulk> {
  const [row] = await queryRows<Row>(db, `${select} where b.id = $1`, [id])
  if (row === undefined) throw refuse('bulk-unknown')
  const [presented] = await present(db, [row])
  if (presented === undefined) throw new Error('One row is presented as one bulk.')
  return presented
}

interface BulksQuery {
  page: number
  size: number
  /** Absent: any. */
  action?: BulkAction | null | undefined
}

/** Newest first. */
export async function listBulks(db: Db, { page, size, action = null }: BulksQuery) {
  const matches = '($1::text is null or action = $1)'
  const rows = await queryRows<Row>(
    db,
    `${select} where ${matches} order by b.started_at desc, b.id limit $2 offset $3::bigint * $2`,
    [action, size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, `select count(*)::int as total from bulks where ${matches}`, [
    action,
  ])
  return pageOf(await present(db, rows), count?.total ?? 0, size)
}

function pageOf<Each>(data: Each[], totalElements: number, size: number) {
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

async function present(db: Db, rows: readonly Row[]): Promise<Bulk[]> {
  const counts = await countItemsOf(
    db,
    rows.map(({ id }) => id),
  )
  return Promise.all(
    rows.map(async ({ isOfWholeRegions, ...row }) => {
      const { rooms } = counts.get(row.id) ?? noItems
      const isOpen = row.endedAt === null
      const roomsPerSecond = isOpen
        ? (await paceOfItems(db, row.id, row.startedAt)).roomsPerSecond
        : averageOf(row, rooms)
      return {
        ...row,
        canRetry: row.canRetry && rooms.failed + rooms.waiting + rooms.running > 0,
        counts: countsOf(rooms),
        roomsPerSecond,
        waitsFor: isOpen && !isOfWholeRegions ? await namesOfAwaited(db, row) : [],
        secondsLeft: isOpen ? secondsLeft(rooms, roomsPerSecond) : null,
      }
    }),
  )
}

async function namesOfAwaited(
  db: Db,
  { id, action, parameters }: Pick<Row, 'id' | 'action' | 'parameters'>,
): Promise<string[]> {
  const read = readAction(action, parameters)
  const regions = await regionsWaitedFor(db, id, regionsNeededFor(read), waitsUntilBack(read))
  return regions.map(({ name }) => name)
}

function averageOf(
  { startedAt, endedAt }: Pick<Row, 'startedAt' | 'endedAt'>,
  rooms: ItemCounts['rooms'],
): number | null {
  if (endedAt === null || rooms.done === 0) return null
  return rooms.done / Math.max((Date.parse(endedAt) - Date.parse(startedAt)) / 1000, 1)
}

function countsOf(rooms: ItemCounts['rooms']): Bulk['counts'] {
  const entries = Object.entries(rooms).map(([state, count]) => [state.toUpperCase(), count])
  return Object.fromEntries(entries) as Bulk['counts']
}

export interface ItemQuery {
  /** Empty: all. */
  state: BulkItemState | ''
  /** A part of the room's name. */
  search: string
}

/** Failed rooms first, done ones last. */
const order = `array_position(array['failed', 'running', 'skipped', 'waiting', 'cancelled', 'done'], i.state), i.room_name`
const condition = `i.parent_id = $1 and ($2 = '' or i.state = $2) and position(lower($3) in i.room_name) > 0`

export async function listItems(db: Db, id: string, query: ItemQuery & { page: number; size: number }) {
  const values = [id, query.state.toLowerCase(), query.search]
  const rows = await queryRows<Omit<BulkItem, 'state'> & { state: ItemState }>(
    db,
    `select i.room_name as project_room_name, i.state, i.reason, coalesce(i.reasons, '[]') as reasons, i.operation_id
       from operation_items i where ${condition} order by ${order} limit $4 offset $5::bigint * $4`,
    [...values, query.size, query.page],
  )
  const [count] = await queryRows<{ total: number }>(
    db,
    `select count(*)::int as total from operation_items i where ${condition}`,
    values,
  )
  const data = rows.map((row) => ({ ...row, state: row.state.toUpperCase() as BulkItemState }))
  return pageOf(data, count?.total ?? 0, query.size)
}

/** CSV in UTF-8 with a header row. @param id a UUID, which the contract has checked */
export function exportItems(
  { db, exports }: Database,
  id: string,
  { state, search, csv }: ItemQuery & { csv: CsvForm },
  reading: Reading,
): Promise<Readable> {
  // A copy takes no parameters.
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
  const where = condition
    .replace('$1', `${literal(id)}::uuid`)
    .replaceAll('$2', literal(state.toLowerCase()))
    .replace('$3', () => literal(search))
  return exports.csv(
    {
      columns: `${defusedSql('i.room_name')} as "Project room", upper(i.state) as "State",
        ${defusedSql("coalesce(i.reason, '')")} as "Reason", i.operation_id as "Operation"`,
      from: `operation_items i where ${where}`,
      order,
    },
    exportReader(db, 'export.bulk-items', { id, state, search }, reading),
    csv,
  )
}

/** Housekeeping: a bulk is shown as long as the record of its operation is kept. */
export async function tidyBulks(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from bulks where ended_at < ${steadyTime} - interval '1 day' and not exists (select from operations o where o.id = bulks.id)`,
  )
  await tidySelections(db)
}
