/** Regular clean-up, by one process at a time. */
import { removeOldRuns, tidyPolicies, tidyVerificationCounts } from '#backup-policies/index.ts'
import { type BackupStores, removeUnfinishedBackups, tidyBackups } from '#backups/index.ts'
import { tidyBulks } from '#bulk/index.ts'
import { closeJump, reportJump } from '#doctor/index.ts'
import { tidyMigrations } from '#live-migrations/index.ts'
import { tidyOperations } from '#operations/index.ts'
import { removeDeadSessions, removeOldFailures, removeOldTickets, removeOldTokens } from '#operators/index.ts'
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { removeOldEvents } from '#platform/events.ts'
import type { Log } from '#platform/log.ts'
import { removeOldRateLimits } from '#platform/rate-limit.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { tidyDeletedRooms } from '#rooms/index.ts'
import { removeOrphanedUploads, tidyUploads } from '#uploads/index.ts'
import { tidyWebhooks } from '#webhooks/index.ts'
import { takeBackTimes } from './take-back-times.ts'

const everyMilliseconds = 60_000
const longestLimitSeconds = 3_600

interface Housekeeping {
  database: Database
  stores: BackupStores
  log: Log
  /** Fires when the process stops: no part begins any more, and one that still runs may lose its database. */
  stopping: AbortSignal
  mayWork(): boolean
}

/** Cleans up now and then every minute. @returns a function that stops it */
export function startHousekeeping(parts: Omit<Housekeeping, 'stopping'>): () => void {
  const ending = new AbortController()
  const housekeeping = { ...parts, stopping: ending.signal }
  const store: StoreRounds = { isUnderWay: false, isThoroughDue: false }
  let minutes = 0
  const tidyNow = () => {
    if (!parts.mayWork()) return
    if (minutes++ % 60 === 0) store.isThoroughDue = true
    void tidy(housekeeping, store)
  }
  tidyNow()
  const timer = setInterval(tidyNow, everyMilliseconds)
  return () => {
    clearInterval(timer)
    ending.abort()
  }
}

interface StoreRounds {
  /** Cleaning a store can take hours; the next round of files waits for it, the clean-up of records does not. */
  isUnderWay: boolean
  isThoroughDue: boolean
}

async function tidy(housekeeping: Housekeeping, store: StoreRounds): Promise<void> {
  const { isMine, isSteady } = await tidyRecords(housekeeping)
  if (!isMine || !isSteady || store.isUnderWay) return
  store.isUnderWay = true
  // Outside the transaction, because stores can be slow. Two processes may do this at once without harm.
  await tidyStores(housekeeping, store)
  store.isUnderWay = false
}

/** The failure of one part stops none of the others: without retention, say, the store would become full. */
async function tidyPart(part: () => Promise<void>, { log, stopping }: Housekeeping): Promise<void> {
  if (stopping.aborted) return
  try {
    await part()
  } catch (error) {
    if (!stopping.aborted) log.warn({ err: error }, 'housekeeping failed')
  }
}

async function tidyStores(housekeeping: Housekeeping, store: StoreRounds): Promise<void> {
  const { database, stores } = housekeeping
  const { db } = database
  const { files } = stores
  const always = [() => tidyUploads(db, files), () => tidyBackups(db, stores), () => tidyPolicies(database, stores)]
  const thorough = [
    () => removeOrphanedUploads(db, files),
    () => removeUnfinishedBackups(db, files),
    () => removeOldRuns(db),
    () => tidyVerificationCounts(db),
  ]
  const due = store.isThoroughDue ? [...always, ...thorough] : always
  store.isThoroughDue = false
  for (const part of due) await tidyPart(part, housekeeping)
}

/**
 * Sessions, events and the like are removed at any time; the rest only while the time of the database is steady.
 * @returns `isMine`: whether this process got the lock, even if it lost it later
 */
async function tidyRecords(housekeeping: Housekeeping): Promise<{ isMine: boolean; isSteady: boolean }> {
  const { database } = housekeeping
  const { db } = database
  const always = [
    () => removeDeadSessions(db),
    () => removeOldFailures(db),
    () => removeOldTickets(db),
    () => removeOldEvents(db),
    () => removeOldRateLimits(db, longestLimitSeconds),
    () => takeBackTimes(db),
  ]
  const whenSteady = [
    () => removeOldTokens(db),
    ...tidyOperations.map((part) => () => part(db)),
    () => tidyMigrations(db),
    () => tidyBulks(db),
    () => tidyDeletedRooms(database),
    () => tidyWebhooks(db),
  ]
  let isMine = false
  let isSteady = false
  const tidyLocked = () =>
    database.transaction(async (tx) => {
      isMine = await tryLockUntilCommit(tx, 'housekeeping')
      if (!isMine) return
      isSteady = await timeIsSteady(housekeeping)
      for (const part of isSteady ? [...always, ...whenSteady] : always) {
        await tidyPart(part, housekeeping)
        // PostgreSQL ends a transaction that stays idle for long, and the lock with it.
        await queryRows(tx, 'select')
      }
    })
  await tidyPart(tidyLocked, housekeeping)
  return { isMine, isSteady }
}

/** Tells it at once when it is not. */
async function timeIsSteady({ database: { db }, log }: Housekeeping): Promise<boolean> {
  const jump = await lookAtTime(db)
  if (jump === null) await closeJump(db)
  else await reportJump(db, jump)
  if (jump?.isNew)
    log.error(
      { from: jump.from, to: jump.to },
      'the time of the database has jumped: nothing is removed for good until it was steady for a day',
    )
  return jump === null
}
