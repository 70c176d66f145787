/** How far a parent operation is with its items. Triggers keep the counts, so that asking every second is cheap. */
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { inPieces } from '#platform/in-pieces.ts'
import type { ItemEnd } from './item-records.ts'

export type ItemState = 'waiting' | 'running' | ItemEnd

export interface ItemCounts {
  rooms: Record<ItemState, number>
  /** What the items carried, in bytes. */
  bytes: number
}

/** The counts of a parent without items. */
export const noItems: ItemCounts = {
  rooms: { waiting: 0, running: 0, done: 0, skipped: 0, failed: 0, cancelled: 0 },
  bytes: 0,
}

export async function countItems(db: Db | Tx, parentId: string): Promise<ItemCounts> {
  return (await countItemsOf(db, [parentId])).get(parentId) ?? noItems
}

/** Of several parents; those without items are left out. */
export async function countItemsOf(db: Db | Tx, parentIds: readonly string[]): Promise<Map<string, ItemCounts>> {
  const rows = await queryRows<{ parentId: string; state: ItemState; rooms: number; bytes: number }>(
    db,
    `select parent_id, state, sum(rooms)::int as rooms, sum(bytes)::float8 as bytes
       from operation_item_counts where parent_id = any($1::uuid[]) group by parent_id, state`,
    [parentIds],
  )
  const counts = new Map<string, ItemCounts>()
  for (const { parentId, state, rooms, bytes } of rows) {
    const before = counts.get(parentId) ?? noItems
    counts.set(parentId, { rooms: { ...before.rooms, [state]: rooms }, bytes: before.bytes + bytes })
  }
  return counts
}

export function totalOf({ rooms }: ItemCounts): number {
  return Object.values(rooms).reduce((sum, count) => sum + count, 0)
}

/** How much of the work is done, 0 to 1. Counts each item under way as half done. */
export function shareOfItems(counts: ItemCounts): number {
  const { waiting, running } = counts.rooms
  return 1 - (waiting + running / 2) / Math.max(1, totalOf(counts))
}

export interface ItemPace {
  /** The average over the last minute, or since the start of a younger parent; null if nothing arrived in that time. */
  bytesPerSecond: number | null
  /** The average number of items that ended, over the last ten minutes; null if none did. */
  roomsPerSecond: number | null
}

export async function paceOfItems(db: Db, parentId: string, startedAt: string | null): Promise<ItemPace> {
  const [row] = await queryRows<ItemPace>(
    db,
    `with parent as (select greatest(extract(epoch from now() - $2::timestamptz), 1)::float8 as age)
     select
       (select sum(bytes) from operation_items
         where parent_id = $1 and bytes_at > now() - interval '1 minute')::float8 / least(age, 60) as bytes_per_second,
       (select nullif(count(*), 0) from operation_items
         where parent_id = $1 and ended_at > now() - interval '10 minutes')::float8 / least(age, 600) as rooms_per_second
       from parent`,
    [parentId, startedAt],
  )
  return row ?? { bytesPerSecond: null, roomsPerSecond: null }
}

/** Counts each item under way as half done. */
export function secondsLeft({ waiting, running }: ItemCounts['rooms'], roomsPerSecond: number | null): number | null {
  return roomsPerSecond === null ? null : Math.ceil((waiting + running / 2) / roomsPerSecond)
}

const removedAtOnce = 2_000

/** Housekeeping: items are shown beside the record of their parent, which is kept for a while. */
export async function removeOldItems(db: Db): Promise<void> {
  await inPieces(
    db,
    `delete from operation_items where (parent_id, room_id) in (
       select i.parent_id, i.room_id from operation_items i where i.parent_id in (
         select parent_id from operation_item_counts counted group by parent_id
         having not exists (select from operations o where o.id = counted.parent_id))
        limit $1)
     returning 1`,
    [removedAtOnce],
    removedAtOnce,
  )
}
