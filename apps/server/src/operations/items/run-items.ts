/**
 * The loop of a parent operation: counts the children under way and starts the next ones. Its cost does not grow with
 * the number of items, and nothing of them is kept in memory, so a worker that takes over goes on where it was.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { prepared } from '#platform/prepared-statements.ts'

export interface Item {
  roomId: string
  /** The region whose items are counted for it; 0: those of all regions together. */
  regionId: number
}

export interface Work {
  db: Db
  parentId: string
  signal: AbortSignal
  /** How many children may be under way at once: of each region, or of all where items have none. */
  atOnce: number
  /** A condition in SQL on the parent's id, `$1`: false once nothing more may begin. It must not contain values from callers. */
  isActive: string
  /** A condition in SQL on `$1` and `turn.region_id`: true while nothing may begin for that region. Default: never. */
  isPaused?: string
  /** Called in each round in which a region is paused. */
  onPaused?(): void
  /** `waits`: the item has to be tried again, before those behind it. */
  begin(roomId: string): Promise<'begun' | 'not-begun' | 'waits'>
  /** For children that have ended and whose item does not say so. */
  settle(roomIds: readonly string[]): Promise<void>
  /** Called after each round in which something began or ended. */
  onChange?(): Promise<void>
}

const shortestPauseMilliseconds = 25
const longestPauseMilliseconds = 500
/** Many of the next items may not be possible. */
const triedAtOnce = 50

/** @returns when nothing is under way, and nothing waits or nothing more may begin */
export async function runItems(work: Work): Promise<void> {
  const progressOf = statementFor(work.isActive, work.isPaused ?? 'false')
  for (let wait = shortestPauseMilliseconds; ; ) {
    work.signal.throwIfAborted()
    const { isActive, underWay, waiting, isPaused } = await readProgress(work, progressOf)
    const ended = underWay.filter(({ hasEnded }) => hasEnded)
    if (ended.length > 0) await work.settle(ended.map(({ roomId }) => roomId))
    const open = underWay.filter(({ hasEnded }) => !hasEnded)
    const { begun, tried } = isActive ? await beginSome(work, waiting, open) : { begun: 0, tried: 0 }
    if (ended.length + tried > 0) await work.onChange?.()
    if (open.length + begun === 0 && (!isActive || (waiting.length === 0 && !isPaused))) return
    if (isActive && isPaused) work.onPaused?.()
    wait = ended.length + tried > 0 ? shortestPauseMilliseconds : Math.min(wait * 1.25, longestPauseMilliseconds)
    await pause(wait, work.signal)
  }
}

interface Progress {
  isActive: boolean
  underWay: (Item & { hasEnded: boolean })[]
  /** The next ones of each region that is not paused. */
  waiting: Item[]
  isPaused: boolean
}

/** One statement, because it is asked again and again. */
async function readProgress({ db, parentId }: Work, statement: string): Promise<Progress> {
  const [found] = await queryRows<Progress>(db, statement, [parentId, triedAtOnce])
  if (found === undefined) throw new Error('A statement without a condition gave no row.')
  return found
}

/** The regions of waiting items are found one after another in the index: there may be 100,000 items. */
const statementFor = (isActive: string, isPaused: string) =>
  prepared(
    `with recursive waiting_in as (
       (select region_id from operation_items where parent_id = $1 and state = 'waiting' order by region_id limit 1)
       union all
       select (select region_id from operation_items
                where parent_id = $1 and state = 'waiting' and region_id > waiting_in.region_id order by region_id limit 1)
         from waiting_in where region_id is not null
     ), turns as materialized (
       select region_id, (${isPaused}) as is_paused from (select region_id from waiting_in where region_id is not null) as turn
     )
     select coalesce((${isActive}), false) as is_active,
       coalesce((select jsonb_agg(jsonb_build_object('roomId', i.room_id, 'regionId', i.region_id,
                                                     'hasEnded', o.id is null or o.ended_at is not null))
                   from operation_items i left join operations o on o.id = i.operation_id
                  where i.parent_id = $1 and i.state = 'running'), '[]') as under_way,
       coalesce((select jsonb_agg(jsonb_build_object('roomId', next.room_id, 'regionId', turns.region_id)
                                  order by next.position)
                   from turns cross join lateral (
                     select room_id, position from operation_items
                      where parent_id = $1 and state = 'waiting' and region_id = turns.region_id
                      order by position limit $2) as next where not is_paused), '[]') as waiting,
       exists (select from turns where is_paused) as is_paused`,
  )

async function beginSome(
  work: Work,
  waiting: readonly Item[],
  open: readonly Item[],
): Promise<{ begun: number; tried: number }> {
  let [begun, tried] = [0, 0]
  for (const [regionId, items] of Map.groupBy(waiting, (item) => item.regionId)) {
    let free = work.atOnce - open.filter((item) => item.regionId === regionId).length
    for (const { roomId } of items) {
      if (free <= 0) break
      tried += 1
      const outcome = await work.begin(roomId)
      work.signal.throwIfAborted()
      if (outcome === 'waits') break
      if (outcome === 'begun') {
        free -= 1
        begun += 1
      }
    }
  }
  return { begun, tried }
}
