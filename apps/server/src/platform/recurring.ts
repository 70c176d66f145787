/**
 * Work that a process does again and again. docs/architecture.md lists all of it; /metrics tells how each has gone.
 */
import { tryLockWorkUntilCommit } from './advisory-locks.ts'
import { type Database, queryRows } from './database.ts'
import type { Log } from './log.ts'
import { pause } from './pause.ts'
import { whileRenewed } from './while-renewed.ts'
import { withTimeout } from './with-timeout.ts'

export interface RecurringWork {
  /** Names it in the log (`… failed`), in the metrics, and in the table of docs/architecture.md. */
  name: string
  /** From the end of a run to the beginning of the next one. The first one begins at once. */
  everySeconds: number
  /** `cluster`: one process at a time, and once in `everySeconds` for all, beside first and triggered runs. */
  scope: 'cluster' | 'process'
  /** Runs although the clock of this process is wrong, because it does not go by that clock. */
  ignoresClock?: true
  /** @param signal fires when the process stops, and when another one may do the work because the lock is lost */
  run(signal: AbortSignal): Promise<unknown>
}

export interface RecurringJob {
  /** Runs it now, or once more after the run under way; in a cluster, unless another process is doing it. */
  trigger(): void
  /** Resolves when the run under way has ended, or after a few seconds. */
  stop(): Promise<void>
}

/** Turns at which another process did the work count as succeeded. */
export interface Tally {
  name: string
  succeeded: number
  failed: number
  /** Of all runs together. */
  seconds: number
}

export interface Scheduler {
  start(work: RecurringWork): RecurringJob
  /** Stops all that still runs. */
  stop(): Promise<void>
  /** What has run in this process. */
  tallies(): readonly Tally[]
}

interface SchedulerParts {
  database: Database
  log: Log
  clock: { isRight(): boolean }
}

const stopMilliseconds = 5_000
/** Repeated failures are logged this often. */
const logMilliseconds = 60_000

export function createScheduler(parts: SchedulerParts): Scheduler {
  const tallies: Tally[] = []
  const jobs: RecurringJob[] = []
  return {
    start(work) {
      const tally = { name: work.name, succeeded: 0, failed: 0, seconds: 0 }
      tallies.push(tally)
      const job = startJob(parts, work, tally)
      jobs.push(job)
      return job
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
    tallies: () => tallies,
  }
}

function startJob({ database, log, clock }: SchedulerParts, work: RecurringWork, tally: Tally): RecurringJob {
  const stopping = new AbortController()
  let waiting = new AbortController()
  // The first run is not skipped, because work may have waited for this process.
  let isWanted = true
  let isFailing = false
  let loggedAt = Number.NEGATIVE_INFINITY

  const run = async () => {
    const wasWanted = isWanted
    isWanted = false
    if (work.scope === 'process') return work.run(stopping.signal)
    return doAlone(database, work.name, async (lost) => {
      // Asked in any case, because it records the time.
      if ((await isDue(database, work)) || wasWanted) await work.run(AbortSignal.any([stopping.signal, lost]))
    })
  }
  const fail = (error: unknown) => {
    if (stopping.signal.aborted) return
    tally.failed += 1
    isFailing = true
    if (performance.now() - loggedAt < logMilliseconds) return
    loggedAt = performance.now()
    log.warn({ err: error }, `${work.name} failed`)
  }
  const attempt = async () => {
    const began = performance.now()
    try {
      await run()
      tally.succeeded += 1
      if (isFailing) log.info(`${work.name} works again`)
      isFailing = false
      loggedAt = Number.NEGATIVE_INFINITY
    } catch (error) {
      fail(error)
    }
    tally.seconds += (performance.now() - began) / 1000
  }
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      waiting = new AbortController()
      if (work.ignoresClock === true || clock.isRight()) await attempt()
      // Processes that were started together do not stay in step.
      await pause(work.everySeconds * 1000 * (0.95 + Math.random() / 10), waiting.signal)
    }
  }
  const ended = repeat()
  return {
    trigger() {
      isWanted = true
      waiting.abort()
    },
    async stop() {
      stopping.abort()
      waiting.abort()
      await withTimeout(stopMilliseconds, ended)
    },
  }
}

const keepAliveMilliseconds = 2_000

/**
 * Does the work of this name unless another process is doing it. The lock is a transaction of its own, which PostgreSQL
 * would end if it were idle for long.
 * @param work its signal fires when the lock is lost
 */
export function doAlone(
  database: Database,
  name: string,
  work: (lost: AbortSignal) => Promise<unknown>,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await tryLockWorkUntilCommit(tx, name))) return
    const lost = new AbortController()
    const keepAlive = () => queryRows(tx, 'select').catch(() => lost.abort())
    await whileRenewed(keepAlive, keepAliveMilliseconds, () => work(lost.signal))
  })
}

/** Due a little early, because processes do not wait equally long. A time in the future comes from a clock that was wrong. */
async function isDue({ db }: Database, { name, everySeconds }: RecurringWork): Promise<boolean> {
  const due = await queryRows(
    db,
    `insert into recurring_work as work (name, began_at) values ($1, now())
     on conflict (name) do update set began_at = now()
        where work.began_at not between now() - $2 * interval '1 second' and now() returning 1`,
    [name, everySeconds * 0.8],
  )
  return due.length > 0
}
