/** Starts an operation that takes over work of a move: only once, however often the move is repeated. */
import { type Operation, type OperationRecord, startOperation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'

export async function startChildOnce<Input>(
  tx: Tx,
  { id: parentId, startedBy, requestId }: OperationRecord<unknown>,
  kind: Operation<Input>,
  parts: { input: Input; room: { id: string; name: string } | null; subject?: string; regionId: number },
): Promise<void> {
  const existing = await queryRows(
    tx,
    `select from operations where parent_id = $1 and kind = $2 and state not in ('failed', 'cancelled')`,
    [parentId, kind.kind],
  )
  if (existing.length === 0) await startOperation(tx, kind, { ...parts, parentId, startedBy, requestId })
}
