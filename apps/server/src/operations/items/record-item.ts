/** Records what became of an item of a parent operation. */
import type { Reasons } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'

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

/** The item's child has been started, in this transaction. */
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
export async function lockWaiting(
  tx: Tx,
  parentId: string,
  roomId: string,
): Promise<{ roomId: string; roomName: string } | null> {
  const [waiting] = await queryRows<{ roomId: string; roomName: string }>(
    tx,
    `select room_id, room_name from operation_items
      where parent_id = $1 and room_id = $2 and state = 'waiting' for update`,
    [parentId, roomId],
  )
  return waiting ?? null
}
