/** Regular clean-up. */
import { removeOldRuns, tidyPolicies, tidyVerificationCounts } from '#backup-policies/index.ts'
import { type BackupStores, removeUnfinishedBackups, tidyBackups } from '#backups/index.ts'
import { tidyBulks } from '#bulk/index.ts'
import { closeJump, reportJump } from '#doctor/index.ts'
import { tidyForcedDeletions } from '#live-migrations/index.ts'
import { tidyOperations } from '#operations/index.ts'
import { removeDeadSessions, removeOldFailures, removeOldTickets, removeOldTokens } from '#operators/index.ts'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import { removeOldEvents } from '#platform/events.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import type { Log } from '#platform/log.ts'
import { removeOldRateLimits } from '#platform/rate-limit.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { tidyDeletedRooms } from '#rooms/index.ts'
import { removeOrphanedUploads, tidyUploads } from '#uploads/index.ts'
import { tidyWebhooks } from '#webhooks/index.ts'

const longestLimitSeconds = 3_600

interface Housekeeping {
  database: Database
  stores: BackupStores
  log: Log
}

export function startHousekeeping(scheduler: Scheduler, deps: Housekeeping): void {
  const { database, stores } = deps
  const { db } = database
  const { files } = stores
  // Work of its own, because a store can be slow.
  const storeJob = scheduler.start({
    name: 'housekeeping of the backup store',
    everySeconds: 60,
    scope: 'cluster',
    run: (signal) =>
      runAll(signal, [
        () => tidyUploads(db, files),
        () => tidyBackups(db, stores),
        () => tidyPolicies(database, stores),
      ]),
  })
  scheduler.start({
    name: 'housekeeping',
    everySeconds: 60,
    scope: 'cluster',
    async run(signal) {
      try {
        await tidyRecords(deps, signal)
      } finally {
        // Files whose records have just gone, also if a part of the records could not be removed.
        storeJob.trigger()
      }
    },
  })
  scheduler.start({
    // Rarely, because each task goes over all files or all records.
    name: 'removal of orphaned files',
    everySeconds: 3600,
    scope: 'cluster',
    run: (signal) =>
      runAll(signal, [
        // As in the housekeeping of records: the first run may come before theirs has looked.
        () => tellJumps(deps),
        () => removeOrphanedUploads(db, files),
        () => removeUnfinishedBackups(db, files),
        () => removeOldRuns(db),
        () => tidyVerificationCounts(db),
      ]),
  })
}

type Task = () => Promise<void>

/** A failing task must not stop the others: without retention, say, the store would become full. */
function runAll(signal: AbortSignal, tasks: readonly Task[]): Promise<void> {
  return forEachCollectingErrors(tasks, async (task) => {
    if (!signal.aborted) await task()
  })
}

/** The look at the time comes first, because records are removed by the time of the last one. */
async function tidyRecords(housekeeping: Housekeeping, signal: AbortSignal): Promise<void> {
  const { database } = housekeeping
  const { db } = database
  await runAll(signal, [
    () => tellJumps(housekeeping),
    () => removeDeadSessions(db),
    () => removeOldFailures(db),
    () => removeOldTickets(db),
    () => removeOldEvents(db),
    () => removeOldRateLimits(db, longestLimitSeconds),
    () => takeBackTimes(db),
    () => removeOldTokens(db),
    ...tidyOperations.map((part) => () => part(db)),
    () => tidyForcedDeletions(db),
    () => tidyBulks(db),
    () => tidyDeletedRooms(database),
    () => tidyWebhooks(db),
  ])
}

async function tellJumps({ database: { db }, log }: Housekeeping): Promise<void> {
  const jump = await lookAtTime(db)
  if (jump === null) await closeJump(db)
  else await reportJump(db, jump)
  if (jump?.isNew)
    log.error(
      { from: jump.from, to: jump.to },
      'the time of the database has jumped: nothing is removed for good until it was steady for a day',
    )
}

/** Longer than any pause between two tries. */
const maxPauseHours = 2

const waiting = [
  // So that an index is used: without it, a month of deliveries would be read every minute.
  { table: 'webhook_deliveries', column: 'next_try_at', which: `state = 'waiting'` },
  { table: 'room_records_due', column: 'try_at', which: 'true' },
  { table: 'forced_deletions', column: 'ended_at', which: 'true' },
] as const

/**
 * Times that lie further ahead than any pause become now: they were written before the clock of the database was set
 * back.
 */
async function takeBackTimes(db: Db): Promise<void> {
  for (const { table, column, which } of waiting)
    await queryRows(
      db,
      `update ${table} set ${column} = now() where ${which} and ${column} > now() + make_interval(hours => $1)`,
      [maxPauseHours],
    )
}
