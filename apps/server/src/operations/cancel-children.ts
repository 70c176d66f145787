/** For operations that start others: cancelling the parent also ends its waiting children. */
import { type Db, queryRows, type Tx } from '#platform/database.ts'

export interface OpenChildren {
  /** Waiting children that nobody has cancelled. */
  waiting: number
  /** All open children. */
  open: number
}

export async function openChildren(db: Db, parentId: string): Promise<OpenChildren> {
  const [row] = await queryRows<OpenChildren>(
    db,
    `select count(*)::int as open, count(*) filter (where state = 'waiting' and not cancel_requested)::int as waiting
       from operations where parent_id = $1 and state in ('waiting', 'running', 'cancelling')`,
    [parentId],
  )
  return row ?? { waiting: 0, open: 0 }
}

/**
 * Ends waiting children at once; running children continue. Only for kinds that have nothing to put back: their
 * `cancelled` is not called.
 */
export async function cancelWaitingChildren(tx: Tx, parentId: string): Promise<void> {
  await queryRows(
    tx,
    `with ended as (
       update operations set state = 'cancelled', cancel_requested = true, ended_at = now()
        where parent_id = $1 and state = 'waiting' and fence = 0 returning id, room_name
     )
     insert into events (payload)
     select jsonb_build_object('type', 'operation', 'operationId', id, 'room', room_name) from ended`,
    [parentId],
  )
  // A waiting child with a fence above 0 has run before: a worker must claim it, undo it and end it.
  await queryRows(tx, `update operations set cancel_requested = true where parent_id = $1 and state = 'waiting'`, [
    parentId,
  ])
}

/**
 * Asks waiting children to end; running children continue. A worker ends each as it comes to its turn, because the kind
 * has something to put back, such as the state of the room.
 */
export async function askWaitingChildrenToEnd(tx: Tx, parentId: string): Promise<void> {
  await queryRows(
    tx,
    `update operations set cancel_requested = true where parent_id = $1 and state = 'waiting' and not cancel_requested`,
    [parentId],
  )
}
