/**
 * One run of the scheduler: settles what has ended, removes what is no longer wanted or whose time is over, records what
 * has become due, and begins what waits. The transactions are short, and what fails for one policy does not stop the
 * others.
 */
import { sql } from 'kysely'
import { reportPolicyAhead } from '#doctor/index.ts'
import { type Database, type Db, queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { databaseTime } from '#platform/database-time.ts'
import { forEachCollectingErrors } from '#platform/for-each-collecting-errors.ts'
import { piecesUntil } from '#platform/in-pieces.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { beginBackups, type Scheduling } from './begin-backups.ts'
import { nextSpan, rhythmOf, type Span } from './due-times.ts'
import { isCovered, listPolicies, lockStoredPolicy, type StoredPolicy } from './policy.ts'
import { countEnds, type FailedBackup, failedOfSettled, recordEndedBatch, recordFailures } from './runs.ts'
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

/** Ends scheduled backups that will not begin: their time is over, or a change of the policy has made them superfluous. */
async function endWaiting(database: Database, now: Date, until: number): Promise<void> {
  await forEachCollectingErrors(await policiesThatForget(database.db), (id) =>
    piecesUntil(() => deleteUnwantedBatch(database, id), until),
  )
  await forEachCollectingErrors(await policiesWithLate(database.db, now), (id) =>
    piecesUntil(() => markMissedBatch(database, id, now), until),
  )
}

const waitingAtOnce = 5_000

async function policiesThatForget(db: Db): Promise<string[]> {
  const found = await queryRows<{ id: string }>(db, 'select id from backup_policies where discard_until is not null')
  return found.map(({ id }) => id)
}

/** @returns whether there may be more */
function deleteUnwantedBatch(database: Database, policyId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await queryRows(tx, 'select from backup_policies where id = $1 for no key update', [policyId])
    const removed = await queryRows(
      tx,
      `delete from scheduled_backups where (policy_id, room_id, due_at) in (
         select s.policy_id, s.room_id, s.due_at from scheduled_backups s join backup_policies p on p.id = s.policy_id
          where s.policy_id = $1 and s.state = 'waiting' and s.due_at <= p.discard_until limit $2)
       returning 1`,
      [policyId, waitingAtOnce],
    )
    if (removed.length === waitingAtOnce) return true
    await queryRows(tx, 'update backup_policies set discard_until = null where id = $1', [policyId])
    return false
  })
}

async function policiesWithLate(db: Db, now: Date): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    `select id from backup_policies p where deleted_at is null and exists (
       select from scheduled_backups s where s.policy_id = p.id and s.state = 'waiting' and s.try_until <= $1)`,
    [now],
  )
  return found.map(({ id }) => id)
}

/** Whose room is gone, or no longer belongs to the policy, has missed nothing. @returns whether there may be more */
function markMissedBatch(database: Database, policyId: string, now: Date): Promise<boolean> {
  return database.transaction(async (tx) => {
    const policy = await lockStoredPolicy(tx, policyId)
    if (policy === null) return false
    const isWanted = sql`exists (
      select from rooms where rooms.id = s.room_id and ${await isCovered(tx, policy.rooms)})`
    const isLate = sql`s.policy_id = late.policy_id and s.room_id = late.room_id and s.due_at = late.due_at`
    const rows = await queryBuilt<{ n: number; failed: FailedBackup[] }>(
      tx,
      sql`with late as materialized (
        select s.policy_id, s.room_id, s.due_at, ${isWanted} as is_wanted from scheduled_backups s
         where s.policy_id = ${policyId}::uuid and s.state = 'waiting' and s.try_until <= ${now}::timestamptz
         order by s.try_until limit ${waitingAtOnce} for update of s
      ), forgotten as (
        delete from scheduled_backups s using late where ${isLate} and not late.is_wanted
      ), settled as (
        update scheduled_backups s set state = 'missed' from late where ${isLate} and late.is_wanted
        returning s.policy_id, s.room_id, s.due_at, 'waiting' as was, s.state
      ), ${sql.raw(countEnds)}
      select count(*)::int as n, ${sql.raw(failedOfSettled)} from late`,
    )
    await recordFailures(tx, rows[0]?.failed ?? [])
    return rows[0]?.n === waitingAtOnce
  })
}

/**
 * Records which rooms have become due since the scheduler last looked: after an outage each once, not once per window.
 * A few thousand at a time, each time in a transaction with the time until which they are recorded, so that a million
 * rooms that are due at once are not one statement, and a process that dies leaves nothing out.
 */
async function recordDue(database: Database, now: Date, until: number): Promise<void> {
  const rooms = await countRooms(database)
  const isDue = ({ scheduledUntil }: StoredPolicy) =>
    scheduledUntil === null || Math.abs(Date.parse(scheduledUntil) - now.getTime()) >= recordEveryMilliseconds
  await forEachCollectingErrors((await listPolicies(database.db)).filter(isDue), ({ id: policyId }) =>
    piecesUntil(() => recordNext(database, { policyId, now, rooms }), until),
  )
}

async function countRooms({ db }: Database): Promise<number> {
  const [counted] = await queryRows<{ rooms: number }>(db, 'select sum(room_count) as rooms from regions')
  return counted?.rooms ?? 0
}

const usualRoomsAtOnce = 5_000

interface Recording {
  policyId: string
  now: Date
  /** How many rooms there are: they are spread evenly. */
  rooms: number
  roomsAtOnce?: number
}

/** @returns whether there may be more */
export function recordNext(database: Database, recording: Recording): Promise<boolean> {
  const { policyId, now, rooms, roomsAtOnce = usualRoomsAtOnce } = recording
  return database.transaction(async (tx) => {
    // Locks the policy against concurrent edits.
    const policy = await lockStoredPolicy(tx, policyId)
    if (policy === null) return false
    const { schedule, isOn } = policy
    const scheduledUntil = (await takeBack(tx, policy, now)) ?? policy.scheduledUntil
    const most = Math.max(1, Math.floor((rhythmOf(schedule).length / 1000) * (roomsAtOnce / Math.max(1, rooms))))
    const span = isOn && scheduledUntil !== null ? nextSpan(schedule, new Date(scheduledUntil), now, most) : null
    if (span !== null && span.low < span.high) await recordSpan(tx, { policy, span, now })
    const until = span?.until ?? now
    await queryRows(tx, 'update backup_policies set scheduled_until = $2 where id = $1', [policyId, until])
    return until < now
  })
}

/** So far two readings of the database's time may lie apart, in two transactions. */
const aheadMilliseconds = 60_000

/**
 * A time that lies ahead was written under a wrong clock: the policy would stop until then. What was recorded for that
 * time is taken back, and the last period is recorded anew; what was recorded of it already stays.
 * @returns the time from which to record; null: the policy is not ahead
 */
async function takeBack(tx: Tx, { id, name, scheduledUntil }: StoredPolicy, now: Date): Promise<string | null> {
  if (scheduledUntil === null || Date.parse(scheduledUntil) - now.getTime() < aheadMilliseconds) return null
  await queryRows(tx, `delete from scheduled_backups where policy_id = $1 and state = 'waiting' and due_at > $2`, [
    id,
    now,
  ])
  await queryRows(tx, 'update scheduled_backups set started_at = $2 where policy_id = $1 and started_at > $2', [
    id,
    now,
  ])
  await queryRows(tx, 'update backup_policies set discard_until = $2 where id = $1 and discard_until > $2', [id, now])
  // What seemed to have missed its time has not: it is recorded anew.
  await queryRows(tx, `delete from scheduled_backups where policy_id = $1 and state = 'missed' and try_until > $2`, [
    id,
    now,
  ])
  await reportPolicyAhead(tx, { name, until: scheduledUntil })
  return new Date(0).toISOString()
}

interface Part {
  policy: StoredPolicy
  span: Span
  now: Date
}

/** Who is due again does not need the backup of the time before any more. */
async function recordSpan(tx: Tx, { policy, span, now }: Part): Promise<void> {
  const { start, seconds, low, high } = span
  const counts = policy.schedule.every === 'hours' ? sql`due_at` : sql`${start}::timestamptz`
  const rows = await queryBuilt<{ failed: FailedBackup[] }>(
    tx,
    sql`with recorded as (
      insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until)
      select ${policy.id}::uuid, id, region_id, due_at, ${counts},
             greatest(${start}::timestamptz + make_interval(secs => ${seconds}), ${now}::timestamptz + interval '1 hour')
        from (
          select id, region_id,
                 ${start}::timestamptz
                   + make_interval(secs => spread_offset(rooms.id) * ${seconds}::bigint / 4294967296) as due_at
            from rooms
           where spread_offset(rooms.id) >= ${low}::bigint and spread_offset(rooms.id) < ${high}::bigint
             and ${await isCovered(tx, policy.rooms)} and state in ('DEFAULT', 'IN_PROGRESS')
        ) as due
      on conflict do nothing returning room_id, due_at
    ), settled as (
      update scheduled_backups older set state = 'missed' from recorded
       where older.policy_id = ${policy.id}::uuid and older.room_id = recorded.room_id
         and older.due_at < recorded.due_at and older.state = 'waiting'
      returning older.policy_id, older.room_id, older.due_at, 'waiting' as was, older.state
    ), ${sql.raw(countEnds)}
    select ${sql.raw(failedOfSettled)}`,
  )
  await recordFailures(tx, rows[0]?.failed ?? [])
}
