/**
 * One run of the scheduler: settles what has ended, removes what is no longer wanted or whose time is over, records what
 * has become due, and begins what waits. The transactions are short, and what fails for one policy does not stop the
 * others.
 */
import { type Database, queryRows } from '#platform/database.ts'
import { databaseTime } from '#platform/database-time.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { piecesUntil } from '#platform/in-pieces.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { beginBackups } from './begin-backups.ts'
import { deleteUnwantedBatch, markMissedBatch, policiesThatForget, policiesWithLate } from './end-waiting.ts'
import type { Scheduling } from './free-slots.ts'
import { countRooms, recordNext } from './record-due.ts'
import { recordEndedBatch } from './settle-ended.ts'
import { listPolicies, type StoredPolicy } from './stored-policy.ts'
import { startDueVerifications } from './verify-nth.ts'

/** Beginning has a part of the time for itself, however much there is to be recorded. */
const recordMilliseconds = 25_000
const beginMilliseconds = 15_000
const recordEveryMilliseconds = 60_000

/** Often, so that a slot that becomes free is soon used. */
export function startScheduling(scheduler: Scheduler, parts: Scheduling): void {
  scheduler.start({
    name: 'scheduling of backups',
    everySeconds: 5,
    scope: 'cluster',
    run: async () => scheduleBackups(parts, await databaseTime(parts.database.db)),
  })
}

/** @returns how many backups were begun. @throws the first failure, at the end */
export async function scheduleBackups(scheduling: Scheduling, now: Date): Promise<number> {
  const { database } = scheduling
  if ((await queryRows(database.db, 'select from backup_policies limit 1')).length === 0) return 0
  const until = performance.now() + recordMilliseconds
  const untilBegun = until + beginMilliseconds
  let begun = 0
  const parts = [
    () => piecesUntil(() => recordEndedBatch(database), until),
    () => endWaiting(database, now, until),
    () => recordDue(database, now, until),
    () => startDueVerifications(scheduling, untilBegun),
    async () => {
      begun = await beginBackups(scheduling, now, untilBegun)
    },
  ]
  await forEachCollectingErrors(parts, (part) => part())
  return begun
}

async function endWaiting(database: Database, now: Date, until: number): Promise<void> {
  await forEachCollectingErrors(await policiesThatForget(database.db), (id) =>
    piecesUntil(() => deleteUnwantedBatch(database, id), until),
  )
  await forEachCollectingErrors(await policiesWithLate(database.db, now), (id) =>
    piecesUntil(() => markMissedBatch(database, id, now), until),
  )
}

async function recordDue(database: Database, now: Date, until: number): Promise<void> {
  const rooms = await countRooms(database)
  const isDue = ({ scheduledUntil }: StoredPolicy) =>
    scheduledUntil === null || Math.abs(Date.parse(scheduledUntil) - now.getTime()) >= recordEveryMilliseconds
  await forEachCollectingErrors((await listPolicies(database.db)).filter(isDue), ({ id: policyId }) =>
    piecesUntil(() => recordNext(database, { policyId, now, rooms }), until),
  )
}
