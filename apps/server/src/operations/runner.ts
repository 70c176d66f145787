/** What a process needs to run operations, and how it writes their records. */
import type { Database, Tx } from '#platform/database.ts'
import { databaseIsUnreachable, statementWasEnded, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import type { Asked } from './engine/index.ts'
import { LeftToOthers, Overtaken } from './failures.ts'
import { type Hold, raiseFence } from './journal.ts'
import type { Operation, OperationKinds, OperationRecord } from './operation.ts'
import type { OperationLog } from './operation-log.ts'

export interface Runner<Services> {
  database: Database
  kinds: OperationKinds<Services>
  services: Services
  log: Log
  /** Fires when this process stops: no step begins any more, and what is left is taken over by others. */
  stopping: AbortSignal
  /** For an end that its kind cannot make: a room that would stay busy for ever is an error, for this reason. */
  leaveInError(tx: Tx, roomId: string | null, reason: string): Promise<void>
  lateCalls: LateCalls
}

/** What an operation has sent to regions may outlast it. */
export interface LateCalls {
  /** In the transaction that ends it. @returns whether there may be something */
  record(tx: Tx, ended: { id: string; fence: number; regionIds: readonly number[] }): Promise<boolean>
  /** After that transaction, when there may be something. */
  refuse(operationId: string): void
}

export interface OperationRun<Services> {
  runner: Runner<Services>
  asked: Asked
  kind: Operation<unknown, Services>
  record: OperationRecord<unknown>
  hold: Hold
  log: OperationLog
}

/** The request that started it is told with every line, so that both can be found by it. */
export function logFields<Services>({ record }: Pick<OperationRun<Services>, 'record'>) {
  const { id: operationId, kind, roomName: room, regionId: region, attempt, requestId } = record
  return { operationId, kind, room, region, attempt, requestId }
}

/** What every write and every step may meet: the operation is somebody else's now. */
export function isParting(error: unknown): error is Overtaken | LeftToOthers {
  return error instanceof Overtaken || error instanceof LeftToOthers
}

/** @throws Overtaken, LeftToOthers */
export function throwIfParted<Services>({ runner, asked }: Pick<OperationRun<Services>, 'runner' | 'asked'>): void {
  if (asked.lost.aborted) throw new Overtaken()
  if (runner.stopping.aborted) throw new LeftToOthers()
}

/**
 * Everything that was sent until now may be refused by regions from now on. @throws Overtaken when the record says that
 * the operation is another worker's; as below
 */
export async function raiseOwnFence<Services>(run: OperationRun<Services>): Promise<void> {
  // Under the fence that what was said still has.
  await run.log.write()
  run.hold.fence = await persistently(run, () => raiseFence(run.runner.database.db, run.hold))
}

/** A record that must be written: waits for the database as long as this process has the operation. @throws as above */
export async function persistently<Services, T>(
  run: Pick<OperationRun<Services>, 'runner' | 'asked'>,
  write: () => Promise<T>,
): Promise<T> {
  const { runner, asked } = run
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (wasDeadlocked(error)) continue
      if (!databaseIsUnreachable(error)) throw error
      throwIfParted(run)
      const what = statementWasEnded(error) ? 'database too slow, trying again' : 'database unreachable, trying again'
      runner.log.warn({ err: error }, what)
      await pause(1000, AbortSignal.any([asked.lost, runner.stopping]))
    }
  }
}
