/** For operations that start others: when they are cancelled, what they started and what still waits ends too. */
import { queryRows, type Tx } from '#platform/database.ts'

/** Those in line end at once; those that run go on. @returns how many still run */
export async function cancelWaitingChildren(tx: Tx, parentId: string): Promise<number> {
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
  // A retried one has begun before: it ends, and puts back, as soon as a worker takes it.
  await queryRows(tx, `update operations set cancel_requested = true where parent_id = $1 and state = 'waiting'`, [
    parentId,
  ])
  const [row] = await queryRows<{ open: number }>(
    tx,
    `select count(*)::int as open from operations
      where parent_id = $1 and state in ('waiting', 'running', 'cancelling')`,
    [parentId],
  )
  return row?.open ?? 0
}
