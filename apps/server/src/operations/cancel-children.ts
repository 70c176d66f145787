/** Cancels operations that wait: one, or the children of a parent that is cancelled. */
import type { Selectable } from 'kysely'
import { recordedFor } from '#changes/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Tables } from '#platform/tables.ts'
import { endNeverRun } from './end-operations.ts'
import { inputForUndo, type Operation, type OperationKinds, recordForKind } from './operation.ts'

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
  const known = waiting.flatMap((row) => {
    const kind = kinds.find(row.kind, row.version)
    return kind === undefined ? [] : [{ row, kind }]
  })
  const ended = new Set(await cancelNeverRun(tx, known))
  await requestCancel(
    tx,
    waiting.map(({ id }) => id).filter((id) => !ended.has(id)),
  )
  return waiting.length
}

/**
 * Ends those of the operations that have never run, so there is nothing to undo, and whose input can be read. The caller
 * has locked them.
 * @returns their ids
 */
export async function cancelNeverRun(
  tx: Tx,
  known: readonly { row: Selectable<Tables['operations']>; kind: Operation<unknown> }[],
): Promise<string[]> {
  const neverRun = known.flatMap(({ row, kind }) => {
    const input = inputForUndo(kind).safeParse(row.input)
    const isNew = row.state === 'waiting' && row.fence === 0
    return isNew && input.success ? [{ kind, record: recordForKind(row, input.data) }] : []
  })
  const ids = neverRun.map(({ record }) => record.id)
  if (ids.length > 0) await endNeverRun(tx, ids, 'cancelled')
  for (const { kind, record } of neverRun) await kind.cancelled(tx, record)
  return ids
}

/** For operations that wait: the worker that claims one puts back what it has done. */
async function requestCancel(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await queryRows(
    tx,
    `with cancelled as (
       update operations set cancel_requested = true where id = any($1::uuid[]) returning id, room_name
     ) ${recordedFor('operation.changed', 'cancelled')}`,
    [ids],
  )
}
