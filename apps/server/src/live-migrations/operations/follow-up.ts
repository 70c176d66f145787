/** What the operations share that finish the work of a move when one of its regions does not let the move do so. */
import { NotYet, type Operation, type OperationRecord, startOperation, toldByRegion } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { isRegionError } from '#regions/index.ts'

/** Starts such an operation: only once, however often the move is repeated. */
export async function startFollowUp<Input>(
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

/**
 * For work that must be done eventually: what a region refuses now (a full disk, a lock, a damaged room) it may accept
 * later.
 * @throws NotYet in place of any error of the region
 */
export async function retryWhileRegionRefuses<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRegionError(error)) throw new NotYet(toldByRegion(error))
    throw error
  }
}
