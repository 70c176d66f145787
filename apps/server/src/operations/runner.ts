/** What a process needs to run operations, and how it writes their records. */
import type { Reasons } from '@roomkeeper/contract'
import type { Database, Tx } from '#platform/database.ts'
import { databaseIsUnreachable, statementWasEnded, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import type { OperationSignals } from './engine/index.ts'
import { HandedOver, Overtaken } from './failures.ts'
import type { Operation, OperationKinds, OperationRecord } from './operation.ts'
import type { OperationLog } from './operation-log.ts'
import { type Claim, raiseFence } from './operation-record.ts'

export interface Runner<Services> {
  database: Database
  kinds: OperationKinds<Services>
  services: Services
  log: Log
  /** Fires when this process stops: no step starts any more, and other workers take over. */
  stopping: AbortSignal
  /**
   * When the kind's own ending fails: puts the room, which would stay busy for ever, into the state ERROR with this
   * reason.
   */
  markAsError(tx: Tx, roomId: string | null, reasons: Reasons): Promise<void>
  lateCalls: LateCalls
}

/** Calls that an operation has sent to regions may arrive after its end. */
export interface LateCalls {
  /** In the transaction that ends it. @returns whether there may be such calls */
  record(tx: Tx, ended: { id: string; fence: number; regionIds: readonly number[] }): Promise<boolean>
  /** After that transaction, when there may be such calls. */
  refuse(operationId: string): void
}

export interface OperationRun<Services> {
  runner: Runner<Services>
  signals: OperationSignals
  kind: Operation<unknown, Services>
  record: OperationRecord<unknown>
  claim: Claim
  log: OperationLog
}

/** Every line names the request that started the operation, so that the log of both can be found by it. */
export function logFields<Services>({ record }: Pick<OperationRun<Services>, 'record'>) {
  const { id: operationId, kind, roomName: room, regionId: region, attempt, requestId } = record
  return { operationId, kind, room, region, attempt, requestId }
}

/** Whether this process has lost the operation to another worker, or hands it over. */
export function isOperationLost(error: unknown): error is Overtaken | HandedOver {
  return error instanceof Overtaken || error instanceof HandedOver
}

/** @throws Overtaken, HandedOver */
export function throwIfLost<Services>({ runner, signals }: Pick<OperationRun<Services>, 'runner' | 'signals'>): void {
  if (signals.lost.aborted) throw new Overtaken()
  if (runner.stopping.aborted) throw new HandedOver()
}

/**
 * From now on regions may refuse everything that was sent before. @throws Overtaken when the record says that the
 * operation is another worker's; as below
 */
export async function raiseOwnFence<Services>(run: OperationRun<Services>): Promise<void> {
  // Log lines so far are written under the old fence.
  await run.log.write()
  run.claim.fence = await retryWrite(run, () => raiseFence(run.runner.database.db, run.claim))
}

/** A record that must be written: waits for the database as long as this process has the operation. @throws as above */
export async function retryWrite<Services, T>(
  run: Pick<OperationRun<Services>, 'runner' | 'signals'>,
  write: () => Promise<T>,
): Promise<T> {
  const { runner, signals } = run
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (wasDeadlocked(error)) continue
      if (!databaseIsUnreachable(error)) throw error
      throwIfLost(run)
      const what = statementWasEnded(error) ? 'database too slow, trying again' : 'database unreachable, trying again'
      runner.log.warn({ err: error }, what)
      await pause(1000, AbortSignal.any([signals.lost, runner.stopping]))
    }
  }
}
