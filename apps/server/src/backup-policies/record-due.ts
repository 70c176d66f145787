/**
 * Records which rooms have become due since the scheduler last looked: after an outage each once, not once per window.
 * A few thousand at a time, each time in a transaction with the time until which they are recorded, so that a million
 * rooms that are due at once are not one statement, and a process that dies leaves nothing out.
 */
import { sql } from 'kysely'
import { reportPolicyAhead } from '#doctor/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { countEnds } from './count-ends.ts'
import { isCovered } from './covered-rooms.ts'
import { nextSpan, rhythmOf, type Span } from './due-times.ts'
import { type FailedBackup, failedOfSettled, recordFailures } from './record-failures.ts'
import { lockStoredPolicy, type StoredPolicy } from './stored-policy.ts'

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

export async function countRooms({ db }: Database): Promise<number> {
  const [counted] = await queryRows<{ rooms: number }>(db, 'select sum(room_count) as rooms from regions')
  return counted?.rooms ?? 0
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
  const { rows } = await sql<{ failed: FailedBackup[] }>`
    with recorded as (
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
    select ${sql.raw(failedOfSettled)}`.execute(tx)
  await recordFailures(tx, rows[0]?.failed ?? [])
}
