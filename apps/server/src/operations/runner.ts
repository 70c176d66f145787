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
import type { Services } from './services.ts'

export interface Runner {
  database: Database
  kinds: OperationKinds
  services: Services
  log: Log
  /** Fires when this process stops: no further step starts, and other workers take over. */
  stopping: AbortSignal
  /** Called when the kind's own ending fails: sets the room to ERROR, because it would stay busy for ever. */
  markAsError(tx: Tx, roomId: string | null, reasons: Reasons): Promise<void>
  lateCalls: LateCalls
}

/** Deals with calls of an operation that may reach a region after the operation has ended. */
export interface LateCalls {
  /** Called in the transaction that ends the operation. @returns whether there may be late calls */
  record(tx: Tx, ended: { id: string; fence: number; regionIds: readonly number[] }): Promise<boolean>
  /** Called after that transaction if there may be late calls. */
  refuse(operationId: string): void
}

export interface OperationRun {
  runner: Runner
  signals: OperationSignals
  kind: Operation<unknown>
  record: OperationRecord<unknown>
  claim: Claim
  log: OperationLog
}

/** Every line has the id of the request that started the operation, so that one search finds the logs of both. */
export function logFields({ record }: Pick<OperationRun, 'record'>) {
  const { id: operationId, kind, roomName: room, regionId: region, attempt, requestId } = record
  return { operationId, kind, room, region, attempt, requestId }
}

/** True when this process has lost the operation to another worker, or hands it over. */
export function isOperationLost(error: unknown): error is Overtaken | HandedOver {
  return error instanceof Overtaken || error instanceof HandedOver
}

/** @throws Overtaken, HandedOver */
export function throwIfLost({ runner, signals }: Pick<OperationRun, 'runner' | 'signals'>): void {
  if (signals.lost.aborted) throw new Overtaken()
  if (runner.stopping.aborted) throw new HandedOver()
}

/**
 * From now on regions may refuse every call that was sent before.
 * @throws Overtaken when the record says that another worker has the operation; HandedOver
 */
export async function raiseOwnFence(run: OperationRun): Promise<void> {
  // The log lines so far must be written under the old fence.
  await run.log.write()
  run.claim.fence = await retryWrite(run, () => raiseFence(run.runner.database.db, run.claim))
}

/** Retries a write while the database is away and this process has the operation. @throws Overtaken, HandedOver */
export async function retryWrite<T>(
  run: Pick<OperationRun, 'runner' | 'signals'>,
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
