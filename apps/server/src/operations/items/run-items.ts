/**
 * Works through the items of a parent: counts the children under way and starts the next ones. The cost of a round does
 * not grow with the number of items, and nothing of them is kept in memory, so a worker that takes over goes on where
 * the former one was.
 */
import type { Reasons } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { Refusal } from '#platform/refuse.ts'
import type { StepCall } from '../operation.ts'
import { countItems, shareOfItems } from './count-items.ts'
import { type ItemRoom, lockWaiting, recordBegun, recordItem } from './item-records.ts'
import {
  type NeedsRegion,
  type SilentRegion,
  silentRegions,
  watchSilentRegions,
  withRegionsOfWaiting,
} from './silent-regions.ts'

/**
 * What `begin` did with an item: it started an operation, or skips the item for these reasons; null: it has recorded
 * the outcome itself.
 */
export type Begun = { operationId: string } | { reasons: Reasons } | null

export interface ItemWork {
  /** The most children under way at once: in each region, or in all together if the items have no region. */
  atOnce: number
  needsRegion: NeedsRegion
  /** A region is waited for until it is enabled and has answered for a minute. Default: until it answers. */
  untilBack?: boolean
  /** Whether the item of a busy room waits until the room is free. If not, `begin` decides. */
  waitsForBusyRooms: boolean
  /** False once nothing more may begin. Default: always true. */
  isActive?(): Promise<boolean>
  /** With the item locked. @throws Refusal `room-busy`: the item is tried again, before those behind it */
  begin(tx: Tx, room: ItemRoom): Promise<Begun>
  /** Records the outcome of items whose children have ended. */
  settle(roomIds: readonly string[]): Promise<void>
  /** Tells pages to load the progress again. */
  changed(): Promise<void>
}

type Call = StepCall<unknown>

const shortestPauseMilliseconds = 25
const longestPauseMilliseconds = 500
/** How many waiting items of a region a round reads: more than begin, because some may be skipped. */
const triedAtOnce = 50

/** @returns when nothing is under way, and nothing waits or nothing more may begin */
export async function runItems(call: Call, work: ItemWork): Promise<void> {
  const watch = watchSilentRegions(call, work.changed, work.untilBack)
  for (let wait = shortestPauseMilliseconds; ; ) {
    call.signal.throwIfAborted()
    const isActive = (await work.isActive?.()) ?? true
    const { underWay, waiting, someWait } = await readRound(call, work)
    const ended = underWay.filter(({ hasEnded }) => hasEnded).map(({ roomId }) => roomId)
    if (ended.length > 0) await work.settle(ended)
    const open = underWay.filter(({ hasEnded }) => !hasEnded)
    const { possible, silent } = await possibleNow(call.services.db, work, isActive ? waiting : [])
    const { begun, tried } = await beginSome(call, work, possible, open)
    const hasChanged = ended.length + tried > 0
    if (hasChanged) {
      if (isActive) await call.progress(shareOfItems(await countItems(call.services.db, call.id)))
      await work.changed()
    }
    if (open.length + begun === 0 && !(isActive && someWait)) return
    if (silent.length > 0) watch(silent)
    wait = hasChanged ? shortestPauseMilliseconds : Math.min(wait * 1.25, longestPauseMilliseconds)
    await pause(wait, call.signal)
  }
}

/** Undo of a step that runs items: children that wait are cancelled, and those under way end. */
export function stopItems(call: Call, work: ItemWork): Promise<void> {
  const isActive = async () => {
    const waiting = await queryRows(call.services.db, waitingChildren, [call.id])
    if (waiting.length > 0) await call.cancelWaiting()
    return false
  }
  return runItems(call, { ...work, isActive })
}

const waitingChildren = `
  select from operations where parent_id = $1 and state = 'waiting' and not cancel_requested limit 1`

interface Item {
  roomId: string
  /** The region for which `atOnce` counts the item; 0: one count for all regions. */
  regionId: number
}

interface Round {
  underWay: (Item & { hasEnded: boolean })[]
  /** The next ones of each region. */
  waiting: Item[]
  /** Whether any item waits, also one whose room is busy. */
  someWait: boolean
}

async function readRound({ services: { db }, id }: Call, { waitsForBusyRooms }: ItemWork): Promise<Round> {
  const [found] = await queryRows<Round>(db, roundOf, [id, triedAtOnce, waitsForBusyRooms])
  if (found === undefined) throw new Error('A statement without a condition gave no row.')
  return found
}

/** One statement, because it is asked again and again. */
const roundOf = `${withRegionsOfWaiting}
   select
     coalesce((select jsonb_agg(jsonb_build_object('roomId', i.room_id, 'regionId', i.region_id,
                                                   'hasEnded', o.id is null or o.ended_at is not null))
                 from operation_items i left join operations o on o.id = i.operation_id
                where i.parent_id = $1 and i.state = 'running'), '[]') as under_way,
     coalesce((select jsonb_agg(jsonb_build_object('roomId', next.room_id, 'regionId', waiting_in.region_id)
                                order by next.position)
                 from waiting_in cross join lateral (
                   select room_id, position from operation_items item
                    where parent_id = $1 and state = 'waiting' and region_id = waiting_in.region_id
                      and not ($3 and exists (select from operations busy where busy.room_id = item.room_id
                                                 and busy.state in ('waiting', 'running', 'cancelling')))
                    order by position limit $2) as next), '[]') as waiting,
     exists (select from waiting_in where region_id is not null) as some_wait`

/** Leaves out items that need a region that does not answer. */
async function possibleNow(
  db: Db,
  { needsRegion, untilBack = false }: ItemWork,
  waiting: readonly Item[],
): Promise<{ possible: readonly Item[]; silent: readonly SilentRegion[] }> {
  const unreachable = waiting.length === 0 ? [] : await silentRegions(db, untilBack)
  const silent = unreachable.filter((region) => waiting.some(({ regionId }) => needsRegion(regionId, region)))
  const possible = waiting.filter(({ regionId }) => !silent.some((region) => needsRegion(regionId, region)))
  return { possible, silent }
}

async function beginSome(
  call: Call,
  work: ItemWork,
  waiting: readonly Item[],
  open: readonly Item[],
): Promise<{ begun: number; tried: number }> {
  let [begun, tried] = [0, 0]
  for (const [regionId, items] of Map.groupBy(waiting, (item) => item.regionId)) {
    let free = work.atOnce - open.filter((item) => item.regionId === regionId).length
    for (const { roomId } of items) {
      if (free <= 0) break
      const outcome = await beginItem(call, work, roomId)
      call.signal.throwIfAborted()
      if (outcome === 'waits') break
      tried += 1
      if (outcome === 'begun') {
        free -= 1
        begun += 1
      }
    }
  }
  return { begun, tried }
}

/** `waits`: the room is busy with another operation, so a later round tries the item again. */
async function beginItem(call: Call, work: ItemWork, roomId: string): Promise<'begun' | 'not-begun' | 'waits'> {
  const { id: parentId } = call
  try {
    return await call.transaction(async (tx) => {
      const room = await lockWaiting(tx, parentId, roomId)
      const begun = room === null ? null : await work.begin(tx, room)
      if (begun === null) return 'not-begun'
      if ('operationId' in begun) {
        await recordBegun(tx, { parentId, roomId, operationId: begun.operationId })
        return 'begun'
      }
      await recordItem(tx, { parentId, roomId, state: 'skipped', reasons: begun.reasons })
      return 'not-begun'
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-busy') return 'waits'
    throw error
  }
}
