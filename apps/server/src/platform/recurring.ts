/**
 * Work that a process does again and again. docs/architecture.md lists all of it; /metrics tells how each has gone.
 */
import { type Database, queryRows } from './database.ts'
import type { Log } from './log.ts'
import { pause, withTimeout } from './pause.ts'
import { createWorkLocks, type TimeLimit, type WorkLocks } from './work-locks.ts'

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
  /**
   * Runs it now, or once more after the run under way; in a cluster, unless another process is doing it. Work that has
   * more to do than one run should take triggers itself: the clock and the lock are looked at anew.
   */
  trigger(): void
  /** Resolves when the run under way has ended, or after a few seconds. */
  stop(): Promise<void>
}

/** Turns at which another process did the work are not counted. */
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

interface SchedulerDeps {
  database: Database
  log: Log
  clock: { isRight(): boolean }
}

const stopMilliseconds = 5_000
/** While the clock is wrong, it is looked at this often. */
const clockSeconds = 10
/** Repeated failures are logged this often. */
const logMilliseconds = 60_000

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const tallies: Tally[] = []
  const jobs: RecurringJob[] = []
  const locks = createWorkLocks(deps.database)
  return {
    start(work) {
      const tally = { name: work.name, succeeded: 0, failed: 0, seconds: 0 }
      tallies.push(tally)
      const job = startJob({ ...deps, locks }, work, tally)
      jobs.push(job)
      return job
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
      locks.close()
    },
    tallies: () => tallies,
  }
}

type JobDeps = SchedulerDeps & { locks: WorkLocks }

function startJob({ database, log, clock, locks }: JobDeps, work: RecurringWork, tally: Tally): RecurringJob {
  const stopping = new AbortController()
  let waiting = new AbortController()
  // The first run is not skipped, because work may have waited for this process.
  let isWanted = true
  let isFailing = false
  let loggedAt = Number.NEGATIVE_INFINITY

  const fail = (error: unknown) => {
    if (stopping.signal.aborted) return
    tally.failed += 1
    isFailing = true
    if (performance.now() - loggedAt < logMilliseconds) return
    loggedAt = performance.now()
    log.warn({ err: error }, `${work.name} failed`)
  }
  /** @returns whether this process did the work */
  const run = async (): Promise<boolean> => {
    let isOurs = work.scope === 'process'
    if (isOurs) await work.run(stopping.signal)
    else
      await locks.runIfFree(work.name, limitOf(work, fail), async (lost) => {
        // Asked in any case, because it records the time.
        isOurs = (await isDue(database, work)) || isWanted
        if (!isOurs) return
        isWanted = false
        await work.run(AbortSignal.any([stopping.signal, lost]))
      })
    return isOurs
  }
  const attempt = async () => {
    const began = performance.now()
    try {
      if (!(await run())) return
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
      const mayRun = work.ignoresClock === true || clock.isRight()
      if (mayRun) await attempt()
      const seconds = mayRun ? work.everySeconds : Math.min(work.everySeconds, clockSeconds)
      // Processes that were started together do not stay in step.
      await pause(seconds * 1000 * (0.95 + Math.random() / 10), waiting.signal)
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

/** After this time another process may do the work, because it may hang here, for example on a store. */
function limitOf({ everySeconds }: RecurringWork, fail: (error: Error) => void): TimeLimit {
  const seconds = Math.max(600, everySeconds)
  return {
    milliseconds: seconds * 1000,
    onPassed: () => fail(new Error(`It takes longer than ${seconds} s; other processes may do it now.`)),
  }
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
