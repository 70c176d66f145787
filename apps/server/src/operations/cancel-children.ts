/** For operations that start others: cancelling the parent also ends its waiting children. */
import { type Selectable, sql } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import type { Tables } from '#platform/tables.ts'
import { inputForUndo, type Operation, type OperationKinds, recordForKind } from './operation.ts'
import { forgetSecrets } from './operation-record.ts'

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
       update operations set state = 'cancelled', cancel_requested = true, ended_at = steady_now()
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

const cancelledAtOnce = 50

/**
 * Cancels some of the waiting children; running children continue. Those that have never run end here, without waiting
 * for a slot that they do not need; a worker ends the others, and those whose kind this process does not know, at
 * their turn.
 * @returns how many were cancelled; 0: all are
 */
export async function cancelSomeChildren(tx: Tx, kinds: OperationKinds, parentId: string): Promise<number> {
  const waiting = await tx
    .selectFrom('operations')
    .selectAll()
    .where('parentId', '=', parentId)
    .where('state', '=', 'waiting')
    .where('cancelRequested', '=', false)
    .orderBy('id')
    .limit(cancelledAtOnce)
    .forUpdate()
    // One that is being claimed is looked at again by the caller.
    .skipLocked()
    .execute()
  for (const row of waiting) {
    const kind = kinds.find(row.kind, row.version)
    const hasEnded = kind !== undefined && row.fence === 0 && (await endNeverRun(tx, kind, row))
    if (!hasEnded) await tx.updateTable('operations').set({ cancelRequested: true }).where('id', '=', row.id).execute()
    await announce(tx, { type: 'operation', operationId: row.id, room: row.roomName })
  }
  return waiting.length
}

/**
 * Ends an operation that has never run, so there is nothing to undo. The caller has locked it.
 * @returns false if its input cannot be read
 */
export async function endNeverRun(
  tx: Tx,
  kind: Operation<unknown>,
  row: Selectable<Tables['operations']>,
): Promise<boolean> {
  const input = inputForUndo(kind).safeParse(row.input)
  if (!input.success) return false
  await tx
    .updateTable('operations')
    .set({ state: 'cancelled', cancelRequested: true, endedAt: sql<string>`steady_now()` })
    .where('id', '=', row.id)
    .execute()
  await forgetSecrets(tx, row.id)
  await kind.cancelled(tx, recordForKind(row, input.data))
  return true
}
