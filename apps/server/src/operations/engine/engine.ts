/**
 * Claims operations and runs them. Memory holds what this worker runs, the records hold what it has claimed; every
 * regular poll compares the two. An operation that is claimed but not run goes back into the queue (the answer to the
 * claim was lost, or we have a bug); one that runs here without a claim is given up.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import { violatesForeignKey } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause, withTimeout } from '#platform/pause.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { takeLease } from './lease.ts'
import {
  assignSlots,
  type Claimable,
  type ClaimedOperation,
  claimOperations,
  type HeldSlots,
  type KnownVersion,
  pollWork,
  releaseClaims,
  type WorkPoll,
} from './queue.ts'

export interface EngineParts {
  database: Database
  scheduler: Scheduler
  log: Log
  regionConcurrency: number
  /** How many operations with slots this worker runs at the same time; the rest is left to other workers. */
  mostWithSlots: number
  leaseSeconds: number
  /** The kinds and versions that this process can run. */
  known: readonly KnownVersion[]
  /** @returns how the run ended here; an error is a bug of ours, and the operation is claimed again later */
  run(claimed: ClaimedOperation, signals: OperationSignals): Promise<'ended' | 'overtaken' | 'handed-over'>
  /** Whether new operations may be claimed; what runs goes on all the same. */
  mayWork(): boolean
  /** Ends the process with this code. */
  exit(code: number): void
}

/** What may happen to an operation while it runs here. */
export interface OperationSignals {
  /** Fires when another worker has taken the operation over. */
  lost: AbortSignal
  cancelled: AbortSignal
}

export interface Engine {
  /** The id of the worker's row. */
  workerId: string
  /** Waits up to `graceSeconds` for running operations; the rest goes back into the queue. */
  stop(graceSeconds: number): Promise<void>
}

/** A process that has lost its lease exits with this code, and its supervisor restarts it. */
export const leaseLostExitCode = 75

/** A small number, so that several workers share the queue. */
const claimedAtOnce = 4
/** The share of a worker's operations with slots that may be in the background. The rest is kept for operators. */
const shareInBackground = 3 / 4
const busyMilliseconds = 20

interface Running {
  slots: HeldSlots
  lost: AbortController
  cancelled: AbortController
  over: Promise<void>
}

/** @throws Error when the database cannot be reached */
export async function startEngine(parts: EngineParts): Promise<Engine> {
  const { database } = parts
  const workerId = randomUUID()
  const running = new Map<string, Running>()
  const exit = () => parts.exit(leaseLostExitCode)

  const mostInBackground = Math.max(1, Math.floor(parts.mostWithSlots * shareInBackground))
  const left = () => {
    const withSlots = [...running.values()].filter(({ slots }) => slots !== 'none')
    const all = Math.max(0, parts.mostWithSlots - withSlots.length)
    const background = mostInBackground - withSlots.filter(({ slots }) => slots === 'background').length
    const inBackground = all > 0 && background > 0
    // All operations of one claim may be in the background, so the claim asks for no more than that limit.
    const most = Math.min(all === 0 ? claimedAtOnce : all, inBackground ? background : claimedAtOnce, claimedAtOnce)
    return { most, claimable: { inForeground: all > 0, inBackground } }
  }
  const start = (claimed: ClaimedOperation) => {
    running.get(claimed.id)?.lost.abort()
    const lost = new AbortController()
    const cancelled = new AbortController()
    const over = runClaimed(parts, workerId, claimed, { lost: lost.signal, cancelled: cancelled.signal }).finally(
      () => {
        const wasFull = !left().claimable.inBackground
        if (running.get(claimed.id) === mine) running.delete(claimed.id)
        if (wasFull) claiming.trigger()
      },
    )
    const mine = { slots: claimed.slots, lost, cancelled, over }
    running.set(claimed.id, mine)
  }

  // Claims need the worker's row, which comes with the lease.
  let hasLease = false
  const assigning = parts.scheduler.start({
    name: 'assignment of slots',
    everySeconds: 60,
    scope: 'process',
    ignoresClock: true,
    async run(signal) {
      while (!signal.aborted && !(await assignSlots(database, parts.regionConcurrency))) await pause(busyMilliseconds)
    },
  })
  const claiming = parts.scheduler.start({
    name: 'claiming of operations',
    everySeconds: 2,
    scope: 'process',
    ignoresClock: true,
    async run(signal) {
      if (!hasLease) return
      const { hasClaimable, hasWaiting } = await pollAndCompare(parts, workerId, running, left().claimable)
      if (hasWaiting) assigning.trigger()
      for (let isMore = hasClaimable; isMore && !signal.aborted && parts.mayWork(); ) {
        const { most, claimable } = left()
        const claimed = await claim(parts, workerId, { ...claimable, most }, signal)
        for (const each of claimed) start(each)
        isMore = claimed.length === most
      }
    },
  })
  const onNotification = (notification: string) => {
    if (!hasLease) return
    if (notification.startsWith('cancel ')) running.get(notification.slice('cancel '.length))?.cancelled.abort()
    if (notification === 'operations' || notification === 'everything') claiming.trigger()
    if (notification === 'operation_slots' || notification === 'everything') assigning.trigger()
  }
  const lease = await takeLease({
    ...parts,
    id: workerId,
    running: () => [...running.keys()],
    onNotification,
    lost: exit,
  })
  hasLease = true
  onNotification('everything')
  return {
    workerId,
    async stop(graceSeconds) {
      await Promise.all([claiming.stop(), assigning.stop()])
      const over = Promise.all([...running.values()].map((each) => each.over))
      await withTimeout(graceSeconds * 1000, over)
      await lease.end()
    },
  }
}

async function claim(
  { database, known, log, exit }: EngineParts,
  workerId: string,
  which: Claimable & { most: number },
  stopping: AbortSignal,
): Promise<ClaimedOperation[]> {
  try {
    const claimed = await claimOperations(database.db, workerId, known, which)
    if (!stopping.aborted) return claimed
    await releaseClaims(
      database.db,
      workerId,
      claimed.map(({ id }) => id),
    )
    return []
  } catch (error) {
    // The lease has ended meanwhile, which has released its claims.
    if (stopping.aborted) return []
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
    // Released at once, so that other workers need not wait until this process has exited.
    if (end === 'handed-over') await releaseClaims(database.db, workerId, [operationId])
    if (end === 'overtaken') log.warn({ operationId }, 'an operation was taken over by another worker')
  } catch (error) {
    log.error({ err: error, operationId }, 'an operation could not be run; it is taken up again')
    // Without a pause, the operation could be claimed and fail again and again.
    await pause(2000)
  }
}

/** The caller claims nothing meanwhile, so a claim that is missing in memory is certain not to run here. */
async function pollAndCompare(
  { database: { db }, known, log }: EngineParts,
  workerId: string,
  running: ReadonlyMap<string, Running>,
  claimable: Claimable,
): Promise<WorkPoll> {
  const before = [...running]
  const poll = await pollWork(db, workerId, known, claimable)
  const { claims } = poll
  const held = new Set(claims.map(({ id }) => id))
  for (const [id, each] of before) if (!held.has(id)) each.lost.abort()
  for (const { id, cancelRequested } of claims) if (cancelRequested) running.get(id)?.cancelled.abort()
  const ran = new Set(before.map(([id]) => id))
  const orphaned = claims.filter(({ id }) => !running.has(id) && !ran.has(id)).map(({ id }) => id)
  if (orphaned.length === 0) return poll
  log.warn({ operations: orphaned }, 'operations that were claimed but not run go back into the line')
  await releaseClaims(db, workerId, orphaned)
  return { ...poll, hasClaimable: true }
}
