/** A worker: a process that runs operations. It knows the kinds; the engine decides which operations it runs. */
import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { startEngine } from './engine/index.ts'
import type { OperationKinds } from './operation.ts'
import { runOperation } from './run-operation.ts'
import type { Runner } from './runner.ts'

export interface WorkerParts<Services> {
  database: Database
  scheduler: Scheduler
  kinds: OperationKinds<Services>
  services: Services
  log: Log
  regionConcurrency: number
  mostWithSlots: number
  leaseSeconds: number
  markAsError: Runner<Services>['markAsError']
  lateCalls: Runner<Services>['lateCalls']
  mayWork(): boolean
  /** Ends the process with this code. */
  exit(code: number): void
}

export interface Worker {
  /** The id of its row in `workers`, where it renews its heartbeat. */
  id: string
  /** Waits up to `graceSeconds` for running steps to end, then stops; other workers take over the rest. */
  stop(graceSeconds: number): Promise<void>
}

export async function startWorker<Services>(parts: WorkerParts<Services>): Promise<Worker> {
  const stopping = new AbortController()
  const runner: Runner<Services> = { ...parts, stopping: stopping.signal }
  const engine = await startEngine({
    ...parts,
    known: parts.kinds.all,
    run: (claimed, signals) => runOperation(runner, claimed, signals),
  })
  return {
    id: engine.workerId,
    stop(graceSeconds) {
      stopping.abort()
      return engine.stop(graceSeconds)
    },
  }
}
