/** Records which rooms have become due since the scheduler last looked: after an outage each once, not once per window. */
import { sql } from 'kysely'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { isCovered } from './covered-rooms.ts'
import { rhythmOf, windowStart } from './due-times.ts'
import { listPolicies, type StoredPolicy } from './stored-policy.ts'

/** As `turnOf`, in milliseconds of the window, whole seconds. */
const turnSql = (length: number) =>
  sql`floor(('x' || left(md5(rooms.id::text), 8))::bit(32)::bigint * ${length / 1000}::float8 / 4294967296)`

export async function recordDue(database: Database, tx: Tx, now: Date): Promise<void> {
  for (const policy of await listPolicies(tx)) {
    if (policy.isOn && policy.lookedUntil !== null) await recordDueOf(database, tx, policy, now)
    await queryRows(tx, 'update backup_policies set looked_until = $2 where id = $1', [policy.id, now])
  }
}

async function recordDueOf(database: Database, tx: Tx, policy: StoredPolicy, now: Date): Promise<void> {
  const rhythm = rhythmOf(policy.schedule)
  const start = windowStart(rhythm, now)
  const since = new Date(policy.lookedUntil ?? now)
  const [previous, length] = [new Date(start.getTime() - rhythm.period), rhythm.length / 1000]
  // The window is over, and whoever was due in it has been recorded.
  if (since.getTime() >= start.getTime() + rhythm.length) return
  const isHourly = policy.schedule.every === 'hours'
  await sql`
    insert into scheduled_backups (policy_id, room_id, due_at, counts_from, try_until)
    select ${policy.id}::uuid, id, due_at, case when ${isHourly} then due_at else window_start end,
           greatest(window_start + make_interval(secs => ${length}), ${now}::timestamptz + interval '1 hour')
      from (
        select id, window_start, window_start + turn as due_at
          from (select id, make_interval(secs => ${turnSql(rhythm.length)}) as turn from rooms
                 where ${await isCovered(database, policy.rooms)} and state in ('DEFAULT', 'IN_PROGRESS')) as covered
         cross join lateral (
           select case when ${start}::timestamptz + turn <= ${now}::timestamptz
                       then ${start}::timestamptz else ${previous}::timestamptz end as window_start
         ) as its
      ) as due
     where due_at > ${since}::timestamptz and due_at <= ${now}::timestamptz
    on conflict do nothing`.execute(tx)
  // Who is due again does not need the backup of the time before any more.
  await queryRows(
    tx,
    `with missed as (
       update scheduled_backups older set state = 'missed'
        where policy_id = $1 and state = 'waiting' and exists (
          select from scheduled_backups newer where newer.policy_id = $1 and newer.room_id = older.room_id
             and newer.due_at > older.due_at)
       returning 1
     )
     update backup_policies set failed = failed + (select count(*) from missed)
      where id = $1 and exists (select from missed)`,
    [policy.id],
  )
}
