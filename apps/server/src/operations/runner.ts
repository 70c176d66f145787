/** What a process needs to run operations, and how it writes their records. */
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type { Database } from '#platform/database.ts'
import { databaseIsUnreachable, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { Overtaken } from './failures.ts'
import type { Hold } from './journal.ts'
import type { Operation, OperationKinds, OperationRecord } from './operation.ts'

export interface Runner<Services> {
  database: Database
  kinds: OperationKinds<Services>
  services: Services
  log: Log
  /** For operations that start others. */
  client: DBOSClient
  /** Looks soon whether somebody in the line for places can go on. */
  placesChanged(): void
  /** Fires when this process stops: no step begins any more, and what is left is taken over by others. */
  stopping: AbortSignal
  /** Steps under way in this process. */
  activeSteps: { count: number }
  /** Ends this process: it has lost an operation to another worker. Never returns. */
  giveUp(): Promise<never>
}

export interface OperationRun<Services> {
  runner: Runner<Services>
  kind: Operation<unknown, Services>
  record: OperationRecord<unknown>
  hold: Hold
}

/** The request that started it is told with every line, so that both can be found by it. */
export function logFields<Services>({ record }: Pick<OperationRun<Services>, 'record'>) {
  const { id: operationId, kind, roomName: room, regionId: region, attempt, requestId } = record
  return { operationId, kind, room, region, attempt, requestId }
}

/** Never goes on: this process stops, and another one takes the operation over. */
export function leaveToOthers(): Promise<never> {
  return new Promise<never>(() => undefined)
}

/** A record that must be written: waits for the database as long as this process lives. */
export async function persistently<Services, T>(runner: Runner<Services>, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (error instanceof Overtaken) return runner.giveUp()
      if (wasDeadlocked(error)) continue
      if (!databaseIsUnreachable(error)) throw error
      runner.log.warn({ err: error }, 'database unreachable, trying again')
      await pause(1000)
    }
  }
}
