/**
 * Claims operations and runs them. What it runs is in memory, what it has claimed is in the records; at every regular
 * poll it compares the two. What it has claimed but does not run goes back into the queue (an answer was lost, or a
 * mistake of ours), and what it runs but has not claimed any more is given up.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import { violatesForeignKey } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { type ClaimedOperation, claimOperations, claimsOf, type KnownVersion, releaseClaims } from './claims.ts'
import { takeLease } from './lease.ts'
import { createPoller } from './poller.ts'
import { assignSlots, queueHasWaiting } from './slots.ts'

export interface EngineParts {
  database: Database
  log: Log
  regionConcurrency: number
  leaseSeconds: number
  /** The kinds and versions that this process can run. */
  known: readonly KnownVersion[]
  /** @returns how its run ended here; an error is a mistake of ours, and the operation is claimed again later */
  run(claimed: ClaimedOperation, signals: OperationSignals): Promise<'ended' | 'overtaken' | 'handed-over'>
  /** Ends the process with this code. */
  exit(code: number): void
}

/** What may happen to an operation while it runs here. */
export interface OperationSignals {
  /** It was taken over by another worker. */
  lost: AbortSignal
  cancelled: AbortSignal
}

export interface Engine {
  /** Of the worker's row. */
  workerId: string
  /** Waits for running operations, for so long at most; the rest goes back into the queue. */
  stop(graceSeconds: number): Promise<void>
}

/** A process that lost its lease exits with this code; its supervisor starts it again. */
export const leaseLostExitCode = 75

const pollMilliseconds = 2000
/** Few at once, so that several workers share the queue. */
const claimedAtOnce = 4
const busyMilliseconds = 20

interface Running {
  lost: AbortController
  cancelled: AbortController
  over: Promise<void>
}

/** @throws Error when the database cannot be reached */
export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { database, log } = parts
  const workerId = randomUUID()
  const running = new Map<string, Running>()
  let stopping = false
  const exit = () => parts.exit(leaseLostExitCode)

  const start = (claimed: ClaimedOperation) => {
    running.get(claimed.id)?.lost.abort()
    const lost = new AbortController()
    const cancelled = new AbortController()
    const over = runClaimed(parts, workerId, claimed, { lost: lost.signal, cancelled: cancelled.signal }).finally(
      () => {
        if (running.get(claimed.id) === mine) running.delete(claimed.id)
      },
    )
    const mine = { lost, cancelled, over }
    running.set(claimed.id, mine)
  }

  const poller = { everyMilliseconds: pollMilliseconds, log }
  const claiming = createPoller({ ...poller, name: 'operations' }, async (called) => {
    if (!called) await compare(database, workerId, running, log)
    for (let found = claimedAtOnce; found === claimedAtOnce && !stopping; ) {
      const claimed = await claim(parts, workerId)
      for (const each of claimed) start(each)
      found = claimed.length
    }
  })
  const assigning = createPoller({ ...poller, name: 'places' }, async (called) => {
    if (!called && !(await queueHasWaiting(database))) return
    while (!stopping && !(await assignSlots(database, parts.regionConcurrency))) await pause(busyMilliseconds)
  })
  let taken = false
  const onNotification = (notification: string) => {
    if (!taken) return
    if (notification.startsWith('cancel ')) running.get(notification.slice('cancel '.length))?.cancelled.abort()
    if (notification === 'operations' || notification === 'everything') claiming.trigger()
    if (notification === 'places' || notification === 'everything') assigning.trigger()
  }
  const lease = await takeLease({
    ...parts,
    id: workerId,
    running: () => [...running.keys()],
    onNotification,
    lost: exit,
  })
  // Before the worker has its row, it cannot claim anything.
  taken = true
  onNotification('everything')
  return {
    workerId,
    async stop(graceSeconds) {
      stopping = true
      await Promise.all([claiming.stop(), assigning.stop()])
      const over = Promise.all([...running.values()].map((each) => each.over))
      const enough = new AbortController()
      await Promise.race([over, pause(graceSeconds * 1000, enough.signal)])
      enough.abort()
      await lease.end()
    },
  }
}

async function claim({ database, known, log, exit }: EngineParts, workerId: string): Promise<ClaimedOperation[]> {
  try {
    return await claimOperations(database.db, workerId, known, claimedAtOnce)
  } catch (error) {
    if (!violatesForeignKey(error)) throw error
    log.error('the lease of this worker was lost: this process ends')
    exit(leaseLostExitCode)
    return []
  }
}

/** Never throws. */
async function runClaimed(
  { run, database, log }: EngineParts,
  workerId: string,
  claimed: ClaimedOperation,
  signals: OperationSignals,
): Promise<void> {
  const operationId = claimed.id
  try {
    const end = await run(claimed, signals)
    // At once, so that other workers need not wait for the end of this process.
    if (end === 'handed-over') await releaseClaims(database.db, workerId, [operationId])
    if (end === 'overtaken') log.warn({ operationId }, 'an operation was taken over by another worker')
  } catch (error) {
    log.error({ err: error, operationId }, 'an operation could not be run; it is taken up again')
  }
}

/** Nothing is claimed meanwhile: a claim that is not in memory is really not run. */
async function compare(
  { db }: Database,
  workerId: string,
  running: ReadonlyMap<string, Running>,
  log: Log,
): Promise<void> {
  const before = [...running]
  const claims = await claimsOf(db, workerId)
  const held = new Set(claims.map(({ id }) => id))
  for (const [id, each] of before) if (!held.has(id)) each.lost.abort()
  for (const { id, cancelRequested } of claims) if (cancelRequested) running.get(id)?.cancelled.abort()
  const orphaned = claims.filter(({ id }) => !running.has(id)).map(({ id }) => id)
  if (orphaned.length === 0) return
  log.warn({ operations: orphaned }, 'operations that were claimed but not run go back into the line')
  await releaseClaims(db, workerId, orphaned)
}
