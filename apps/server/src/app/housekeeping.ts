/** Regular clean-up, by one process at a time. */
import { removeOldRuns, tidyScheduledBackups, tidyVerificationCounts } from '#backup-policies/index.ts'
import { type BackupStores, removeUnfinishedBackups, tidyBackups } from '#backups/index.ts'
import { tidyBulks } from '#bulk/index.ts'
import { tidyMigrations } from '#live-migrations/index.ts'
import { tidyOperations } from '#operations/index.ts'
import { removeDeadSessions, removeOldFailures, removeOldTickets } from '#operators/index.ts'
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import type { Database } from '#platform/database.ts'
import { removeOldEvents } from '#platform/events.ts'
import { forEach } from '#platform/for-each.ts'
import type { Log } from '#platform/log.ts'
import { removeOldRateLimits } from '#platform/rate-limit.ts'
import { tidyDeletedRooms } from '#rooms/index.ts'
import { removeOrphanedUploads, tidyUploads } from '#uploads/index.ts'

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
  try {
    if (!(await tidyRecords(database)) || store.isUnderWay) return
    store.isUnderWay = true
    // Outside the transaction, because stores can be slow. Two processes may do this at once without harm.
    await tidyStores(database, stores, store).finally(() => {
      store.isUnderWay = false
    })
  } catch (error) {
    log.warn({ err: error }, 'housekeeping failed')
  }
}

async function tidyStores({ db }: Database, stores: BackupStores, store: StoreRounds): Promise<void> {
  const { files } = stores
  const always = [() => tidyUploads(db, files), () => tidyBackups(db, stores), () => tidyScheduledBackups(db, stores)]
  const thorough = [
    () => removeOrphanedUploads(db, files),
    () => removeUnfinishedBackups(files),
    () => removeOldRuns(db),
    () => tidyVerificationCounts(db),
  ]
  const due = store.isThoroughDue ? [...always, ...thorough] : always
  store.isThoroughDue = false
  await forEach(due, (tidyPart) => tidyPart())
}

/** @returns whether this process held the lock */
function tidyRecords(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await tryLockUntilCommit(tx, 'housekeeping'))) return false
    await removeDeadSessions(database.db)
    await removeOldFailures(database.db)
    await removeOldTickets(database.db)
    await removeOldEvents(database.db)
    await removeOldRateLimits(database.db, longestLimitSeconds)
    await tidyOperations(database)
    await tidyMigrations(database.db)
    await tidyBulks(database.db)
    await tidyDeletedRooms(database)
    return true
  })
}
