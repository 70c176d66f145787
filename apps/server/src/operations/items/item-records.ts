/** Writes the items of a parent operation: adds them, and records what became of each. */
import type { Reasons } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { piecesUntil } from '#platform/in-pieces.ts'
import { storedReasons } from '#platform/stored-reasons.ts'

export interface ItemRoom {
  roomId: string
  roomName: string
}

interface NewItems {
  parentId: string
  /** The configuration of a live migration; null for other parents. */
  migrationId: number | null
  /** In the order in which they are worked on. */
  rooms: readonly { id: string; name: string }[]
}

/** Adds items without a region: `atOnce` limits them all together. */
export async function addItems(tx: Tx, { parentId, migrationId, rooms }: NewItems): Promise<void> {
  await queryRows(
    tx,
    `insert into operation_items (parent_id, position, migration_id, room_id, room_name)
     select $1, position - 1, $2, id, name from unnest($3::uuid[], $4::text[]) with ordinality as room (id, name, position)`,
    [parentId, migrationId, rooms.map(({ id }) => id), rooms.map(({ name }) => name)],
  )
}

export type ItemEnd = 'done' | 'skipped' | 'failed' | 'cancelled'

export interface ItemOutcome {
  parentId: string
  roomId: string
  state: ItemEnd
  /** Why it is not done, or what is left to be done; null: there is nothing to say. */
  reasons: Reasons | null
}

export async function recordItem(tx: Tx, { parentId, roomId, state, reasons }: ItemOutcome): Promise<void> {
  const stored = reasons === null ? null : storedReasons(reasons)
  await queryRows(
    tx,
    `update operation_items set state = $3, reason = $4, reasons = $5::jsonb, ended_at = now()
      where parent_id = $1 and room_id = $2`,
    [parentId, roomId, state, stored?.text, stored?.codes],
  )
}

/** Records that the item's child was started, in the transaction that starts it. */
export async function recordBegun(
  tx: Tx,
  { parentId, roomId, operationId }: { parentId: string; roomId: string; operationId: string },
): Promise<void> {
  await queryRows(
    tx,
    `update operation_items set state = 'running', operation_id = $3 where parent_id = $1 and room_id = $2`,
    [parentId, roomId, operationId],
  )
}

/** Locks a waiting item until the transaction ends. @returns null if it does not wait any more */
export async function lockWaiting(tx: Tx, parentId: string, roomId: string): Promise<ItemRoom | null> {
  const [waiting] = await queryRows<ItemRoom>(
    tx,
    `select room_id, room_name from operation_items
      where parent_id = $1 and room_id = $2 and state = 'waiting' for update`,
    [parentId, roomId],
  )
  return waiting ?? null
}

/** In the order in which they are worked on. */
export function waitingItems(db: Db, parentId: string): Promise<ItemRoom[]> {
  return queryRows<ItemRoom>(
    db,
    `select room_id, room_name from operation_items
      where parent_id = $1 and state = 'waiting' order by region_id, position`,
    [parentId],
  )
}

/**
 * Records how the operations of items under way have ended, in one statement. Leaves out an item whose operation has
 * recorded the outcome itself, as a move does.
 */
export async function settleItems(tx: Tx, parentId: string, roomIds: readonly string[]): Promise<void> {
  await queryRows(
    tx,
    `with ended as (
       select i.room_id, coalesce(o.state, outcome.state, 'failed') as state,
              coalesce(o.error, outcome.error) as error, coalesce(o.error_reasons, outcome.error_reasons) as reasons,
              o.ended_at
         from operation_items i
         left join operations o on o.id = i.operation_id
         left join operation_outcomes outcome on outcome.operation_id = i.operation_id
        where i.parent_id = $1 and i.state = 'running' and (o.id is null or o.ended_at is not null)
          and i.room_id = any($2)
     )
     update operation_items i
        set state = ended.state, ended_at = coalesce(ended.ended_at, now()),
            reason = case when ended.state = 'failed' then ended.error end,
            reasons = case when ended.state = 'failed' then ended.reasons end
       from ended where i.parent_id = $1 and i.room_id = ended.room_id`,
    [parentId, roomIds],
  )
}

/** For a retry of the parent: the failed items wait again. */
export async function retryFailedItems(tx: Tx, parentId: string): Promise<void> {
  await untilAllAreChanged(() => queryRows<{ changed: number }>(tx, retrySome, [parentId, changedAtOnce]))
}

const retrySome = `
  with changed as (
    update operation_items
       set state = 'waiting', operation_id = null, reason = null, reasons = null, ended_at = null
     where parent_id = $1 and room_id in (
       select room_id from operation_items where parent_id = $1 and state = 'failed' limit $2)
    returning 1
  )
  select count(*)::int as changed from changed`

/** For the end of a cancelled parent. */
export async function cancelWaitingItems(tx: Tx, parentId: string): Promise<void> {
  await untilAllAreChanged(() => queryRows<{ changed: number }>(tx, cancelSome, [parentId, changedAtOnce]))
}

const cancelSome = `
  with changed as (
    update operation_items set state = 'cancelled', ended_at = now()
     where parent_id = $1 and room_id in (
       select room_id from operation_items where parent_id = $1 and state = 'waiting' limit $2)
    returning 1
  )
  select count(*)::int as changed from changed`

/**
 * For waiting items of a region that is given up. They do not count as work that was done at this moment.
 * @param transaction of each piece
 */
export async function failWaitingItems(
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  { parentId, regionId, reasons }: { parentId: string; regionId: number; reasons: Reasons },
): Promise<void> {
  const { text, codes } = storedReasons(reasons)
  const values = [parentId, regionId, text, codes, changedAtOnce]
  await untilAllAreChanged(() => transaction((tx) => queryRows<{ changed: number }>(tx, failSome, values)))
}

const failSome = `
  with changed as (
    update operation_items set state = 'failed', reason = $3, reasons = $4::jsonb
     where parent_id = $1 and room_id in (
       select room_id from operation_items where parent_id = $1 and region_id = $2 and state = 'waiting' limit $5)
    returning 1
  )
  select count(*)::int as changed from changed`

const changedAtOnce = 20_000

/** In pieces, because a parent may have a million items, and each statement has a time limit. */
function untilAllAreChanged(changeSome: () => Promise<{ changed: number }[]>): Promise<void> {
  return piecesUntil(async () => (await changeSome())[0]?.changed === changedAtOnce, Number.POSITIVE_INFINITY)
}
