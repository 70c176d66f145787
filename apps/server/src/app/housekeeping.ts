/** Regular clean-up, by one process at a time. */
import { removeOldRuns, tidyPolicies, tidyVerificationCounts } from '#backup-policies/index.ts'
import { type BackupStores, removeUnfinishedBackups, tidyBackups } from '#backups/index.ts'
import { tidyBulks } from '#bulk/index.ts'
import { tidyMigrations } from '#live-migrations/index.ts'
import { tidyOperations } from '#operations/index.ts'
import { removeDeadSessions, removeOldFailures, removeOldTickets, removeOldTokens } from '#operators/index.ts'
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { removeOldEvents } from '#platform/events.ts'
import type { Log } from '#platform/log.ts'
import { removeOldRateLimits } from '#platform/rate-limit.ts'
import { tidyDeletedRooms } from '#rooms/index.ts'
import { removeOrphanedUploads, tidyUploads } from '#uploads/index.ts'
import { tidyWebhooks } from '#webhooks/index.ts'

const everyMilliseconds = 60_000
const longestLimitSeconds = 3_600

/** Cleans up now and then every minute. @returns a function that stops it */
export function startHousekeeping(database: Database, stores: BackupStores, log: Log): () => void {
  const store: StoreRounds = { isUnderWay: false, isThoroughDue: false }
  let minutes = 0
  const tidyNow = () => {
    if (minutes++ % 60 === 0) store.isThoroughDue = true
    void tidy(database, stores, log, store)
  }
  tidyNow()
  const timer = setInterval(tidyNow, everyMilliseconds)
  return () => clearInterval(timer)
}

interface StoreRounds {
  /** Cleaning a store can take hours; the next round of files waits for it, the clean-up of records does not. */
  isUnderWay: boolean
  isThoroughDue: boolean
}

async function tidy(database: Database, stores: BackupStores, log: Log, store: StoreRounds): Promise<void> {
  if (!(await tidyRecords(database, log)) || store.isUnderWay) return
  store.isUnderWay = true
  // Outside the transaction, because stores can be slow. Two processes may do this at once without harm.
  await tidyStores(database, stores, store, log)
  store.isUnderWay = false
}

/** The failure of one part stops none of the others: without retention, say, the store would become full. */
async function tidyPart(part: () => Promise<void>, log: Log): Promise<void> {
  try {
    await part()
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed')
  }
}

async function tidyStores(database: Database, stores: BackupStores, store: StoreRounds, log: Log): Promise<void> {
  const { db } = database
  const { files } = stores
  const always = [() => tidyUploads(db, files), () => tidyBackups(db, stores), () => tidyPolicies(database, stores)]
  const thorough = [
    () => removeOrphanedUploads(db, files),
    () => removeUnfinishedBackups(files),
    () => removeOldRuns(db),
    () => tidyVerificationCounts(db),
  ]
  const due = store.isThoroughDue ? [...always, ...thorough] : always
  store.isThoroughDue = false
  for (const part of due) await tidyPart(part, log)
}

/** @returns whether this process got the lock, even if it lost it later */
async function tidyRecords(database: Database, log: Log): Promise<boolean> {
  const { db } = database
  const parts = [
    () => removeDeadSessions(db),
    () => removeOldFailures(db),
    () => removeOldTickets(db),
    () => removeOldTokens(db),
    () => removeOldEvents(db),
    () => removeOldRateLimits(db, longestLimitSeconds),
    ...tidyOperations.map((part) => () => part(db)),
    () => tidyMigrations(db),
    () => tidyBulks(db),
    () => tidyDeletedRooms(database),
    () => tidyWebhooks(db),
  ]
  let isMine = false
  const tidyLocked = () =>
    database.transaction(async (tx) => {
      isMine = await tryLockUntilCommit(tx, 'housekeeping')
      if (!isMine) return
      for (const part of parts) {
        await tidyPart(part, log)
        // PostgreSQL ends a transaction that stays idle for long, and the lock with it.
        await queryRows(tx, 'select')
      }
    })
  await tidyPart(tidyLocked, log)
  return isMine
}
