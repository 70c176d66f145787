/**
 * Runs what it claims. What it runs it keeps in memory, what it has claimed stands in the record; whenever it looks by
 * itself it compares the two: what it has claimed but does not run goes back into the line (an answer that was lost, a
 * mistake of ours), and what it runs but does not hold any more is given up, alone.
 */
import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/database.ts'
import { violatesForeignKey } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { type ClaimedOperation, claimOperations, claimsOf, type KnownVersion, letGo } from './claims.ts'
import { takeLease } from './lease.ts'
import { createLook } from './look.ts'
import { givePlaces, someoneIsInLine } from './places.ts'

export interface EngineParts {
  database: Database
  log: Log
  regionConcurrency: number
  leaseSeconds: number
  /** What this process can run. */
  known: readonly KnownVersion[]
  /** @returns how it parted from the operation; an error is a mistake of ours, and the operation comes back later */
  run(claimed: ClaimedOperation, asked: Asked): Promise<'ended' | 'overtaken' | 'left'>
  /** Ends the process with this code. */
  exit(code: number): void
}

/** What may be asked of an operation under way. */
export interface Asked {
  /** It was taken over by another worker. */
  lost: AbortSignal
  cancelled: AbortSignal
}

export interface Engine {
  /** Of the worker's row. */
  workerId: string
  /** Waits for what runs, for so long at most; what is left goes back into the line. */
  stop(graceSeconds: number): Promise<void>
}

/** A process that lost its lease exits with this code; whoever supervises it starts it again. */
export const leaseLostExitCode = 75

const lookMilliseconds = 2000
/** Few at once, so that several workers share what waits. */
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

  const look = { everyMilliseconds: lookMilliseconds, log }
  const claiming = createLook({ ...look, name: 'operations' }, async (called) => {
    if (!called) await compare(database, workerId, running, log)
    for (let found = claimedAtOnce; found === claimedAtOnce && !stopping; ) {
      const claimed = await claim(parts, workerId)
      for (const each of claimed) start(each)
      found = claimed.length
    }
  })
  const placing = createLook({ ...look, name: 'places' }, async (called) => {
    if (!called && !(await someoneIsInLine(database))) return
    while (!stopping && !(await givePlaces(database, parts.regionConcurrency))) await pause(busyMilliseconds)
  })
  let taken = false
  const heard = (word: string) => {
    if (!taken) return
    if (word.startsWith('cancel ')) running.get(word.slice('cancel '.length))?.cancelled.abort()
    if (word === 'operations' || word === 'everything') claiming.call()
    if (word === 'places' || word === 'everything') placing.call()
  }
  const lease = await takeLease({ ...parts, id: workerId, running: () => [...running.keys()], heard, lost: exit })
  // Before there is a row, nothing could be claimed.
  taken = true
  heard('everything')
  return {
    workerId,
    async stop(graceSeconds) {
      stopping = true
      await Promise.all([claiming.stop(), placing.stop()])
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
  asked: Asked,
): Promise<void> {
  const operationId = claimed.id
  try {
    const parted = await run(claimed, asked)
    // At once, so that others need not wait for the end of this process.
    if (parted === 'left') await letGo(database.db, workerId, [operationId])
    if (parted === 'overtaken') log.warn({ operationId }, 'an operation was taken over by another worker')
  } catch (error) {
    log.error({ err: error, operationId }, 'an operation could not be run; it is taken up again')
  }
}

/** Nothing is claimed meanwhile: what is in the record and not in memory is really not run. */
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
  const forsaken = claims.filter(({ id }) => !running.has(id)).map(({ id }) => id)
  if (forsaken.length === 0) return
  log.warn({ operations: forsaken }, 'operations that were claimed but not run go back into the line')
  await letGo(db, workerId, forsaken)
}
