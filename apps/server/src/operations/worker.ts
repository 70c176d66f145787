/** A worker: a process that runs operations. It knows the kinds; the engine decides which operations it runs. */
import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { startEngine } from './engine/index.ts'
import type { OperationKinds, Services } from './operation.ts'
import { runOperation } from './run-operation.ts'
import type { Runner } from './runner.ts'

export interface WorkerParts {
  database: Database
  scheduler: Scheduler
  kinds: OperationKinds
  services: Services
  log: Log
  regionConcurrency: number
  mostWithSlots: number
  leaseSeconds: number
  markAsError: Runner['markAsError']
  lateCalls: Runner['lateCalls']
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

export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const stopping = new AbortController()
  const runner: Runner = { ...parts, stopping: stopping.signal }
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
