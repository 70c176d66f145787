import { because } from '@roomkeeper/contract'
import type { Tx } from '#platform/database.ts'
import { endOperation } from './end-operations.ts'
import type { ClaimedOperation, OperationSignals } from './engine/index.ts'
import { noUndo } from './operation.ts'
import { isOperationLost, type Runner, retryWrite } from './runner.ts'

/** Ends an operation whose input cannot be read. That happens only after somebody changed the database by hand. */
export async function abandonOperation(
  runner: Runner,
  claimed: ClaimedOperation,
  signals: OperationSignals,
): Promise<void> {
  const reasons = [because('input-unreadable')]
  const { id, fence, regionId: region } = claimed
  const settled = async (tx: Tx) => {
    await runner.markAsError(tx, claimed.roomId, reasons)
    await runner.lateCalls.record(tx, { id, fence, regionIds: region === null ? [] : [region] })
  }
  const end = (settling: typeof settled) =>
    retryWrite({ runner, signals }, () =>
      endOperation(runner, { operationId: id, fence }, { state: 'failed', reasons }, settling),
    )
  try {
    await end(settled)
  } catch (error) {
    if (isOperationLost(error)) throw error
    runner.log.error({ operationId: id, err: error }, 'ending an operation failed')
    // Without the state of the room, as in the last of the endings in run-operation.ts.
    await end(noUndo)
  }
}
