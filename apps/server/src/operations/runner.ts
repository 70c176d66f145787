/** What a process needs to run operations, and how it writes their records. */
import type { Reasons } from '@roomkeeper/contract'
import { cleanText } from '@roomkeeper/region-protocol'
import type { Database, Tx } from '#platform/database.ts'
import { databaseIsUnreachable, statementWasEnded, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { longestText, shownReasons } from '#platform/stored-reasons.ts'
import type { OperationSignals } from './engine/index.ts'
import { HandedOver, Overtaken } from './failures.ts'
import type { Operation, OperationKinds, OperationRecord, Services } from './operation.ts'
import { type Claim, type LogLine, raiseFence } from './operation-record.ts'

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

/**
 * The log of a running operation. Most lines are the last of their step and are written by the statement that ends the
 * step. If none comes soon, a timer writes the line; a warning or an error is written at once.
 */
export interface OperationLog {
  say(line: LogLine): Promise<void>
  /**
   * Returns the unwritten lines to a caller that writes them in its own statement. Waits for running writes.
   */
  take(): Promise<LogLine[]>
  /** Writes the lines now. @throws what the write throws */
  write(): Promise<void>
  /** As `write`, for a process that may have lost the operation: errors go to `failed`. */
  end(): Promise<void>
}

const logDelayMilliseconds = 100

/** @param failed called with the error when lines could not be written in the background or at the end */
export function operationLog(
  write: (lines: readonly LogLine[]) => Promise<void>,
  failed: (error: unknown) => void,
): OperationLog {
  let lines: LogLine[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const take = async () => {
    clearTimeout(timer)
    timer = undefined
    await writing
    const taken = lines
    lines = []
    return taken
  }
  /** Joins the chain of writes at once, so that a later `take` waits for this write even if it is itself waiting. */
  const writeNow = () => {
    clearTimeout(timer)
    timer = undefined
    const mine = writing.then(() => {
      const taken = lines
      lines = []
      return taken.length === 0 ? undefined : write(taken)
    })
    writing = mine.catch(() => undefined)
    return mine
  }
  return {
    async say(line) {
      const { reasons } = line
      const coded = reasons === undefined ? {} : { reasons: shownReasons(reasons) }
      lines.push({ ...line, ...coded, text: cleanText(line.text, longestText) })
      if (line.level !== 'info') return writeNow()
      timer ??= setTimeout(() => void writeNow().catch(failed), logDelayMilliseconds)
    },
    take,
    write: writeNow,
    end: () => writeNow().catch(failed),
  }
}
