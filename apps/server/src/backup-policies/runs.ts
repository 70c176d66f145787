/**
 * What has become of scheduled backups. How their operations have ended is recorded and counted in one statement; one that
 * has failed and was then retried with success is done: it counts for retention.
 */
import type { BackupPolicyRuns, Reasons, WebhookData } from '@roomkeeper/contract'
import { type OutgoingEvent, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { inPieces, piecesUntil } from '#platform/in-pieces.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { lockAllPolicies } from './policy.ts'
import { countForVerification } from './verify-nth.ts'

const settledAtOnce = 5_000

/** @returns whether there may be more */
export function recordEndedBatch(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockAllPolicies(tx)
    const [settled] = await queryRows<{ n: number; failed: FailedBackup[] }>(tx, settle, [settledAtOnce])
    await recordFailures(tx, settled?.failed ?? [])
    return settled?.n === settledAtOnce
  })
}

/** A condition on operations `o`, the one of the index operations_of_policies. */
export const succeededScheduledOperation = `o.state = 'done' and o.started_by = 'system'
  and o.kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify')`

/**
 * Parts of a statement that ends scheduled backups, with a part `settled` that has the columns policy_id, due_at, was and
 * state. They count in the same statement, so an end is counted once; `failed` of a policy never goes back.
 */
export const countEnds = `
  ends_of_days as (
    insert into scheduled_backup_days as days (policy_id, day, done, failed, missed)
    select policy_id, (due_at at time zone 'UTC')::date, count(*) filter (where state = 'done'),
           count(*) filter (where state = 'failed') - count(*) filter (where was = 'failed'),
           count(*) filter (where state = 'missed')
      from settled group by 1, 2
    on conflict (policy_id, day) do update
      set done = days.done + excluded.done, failed = days.failed + excluded.failed,
          missed = days.missed + excluded.missed
  ), failures as (
    update backup_policies p set failed = p.failed + of_policy.n
      from (select policy_id, count(*) as n from settled where state in ('failed', 'missed') group by policy_id) as of_policy
     where of_policy.policy_id = p.id
  )`

type Told = WebhookData<'backup.failed'>

/** A scheduled backup that has just failed or was missed. */
export interface FailedBackup {
  policyId: string
  roomId: string
  dueAt: string
  outcome: Told['outcome']
}

/** A column of a statement with a part `settled`, as for `countEnds`: a list of `FailedBackup`. */
export const failedOfSettled = `
  (select coalesce(jsonb_agg(jsonb_build_object(
            'policyId', policy_id, 'roomId', room_id, 'dueAt', due_at, 'outcome', state) order by due_at, room_id), '[]')
     from settled where state in ('failed', 'missed')) as failed`

/** The operation may have been removed, with how it ended; then the backup says that it went well. */
const settle = `
  with ended as (
    (select s.policy_id, s.room_id, s.due_at, s.state as was,
            case when coalesce(o.state, outcome.state) = 'done'
                   or o.id is null and exists (select from room_backups b where b.id = s.operation_id)
                 then 'done' else 'failed' end as state
       from scheduled_backups s
       left join operations o on o.id = s.operation_id
       left join operation_outcomes outcome on outcome.operation_id = s.operation_id
      where s.state = 'started' and (o.id is null or o.ended_at is not null) limit $1)
    union all
    (select s.policy_id, s.room_id, s.due_at, s.state, 'done'
       from operations o join scheduled_backups s on s.operation_id = o.id and s.state = 'failed'
      where o.attempt > 1 and ${succeededScheduledOperation} limit $1)
  ), settled as (
    update scheduled_backups s set state = ended.state, retention_applied = false
      from (select * from ended limit $1) as ended
     where s.policy_id = ended.policy_id and s.room_id = ended.room_id and s.due_at = ended.due_at
    returning s.policy_id, s.room_id, s.region_id, s.due_at, ended.was, s.state
  ), ${countEnds}, ${countForVerification}
  select count(*)::int as n, ${failedOfSettled} from settled`

/** The rooms are not locked, because there may be thousands: these events have no order with others of the moment. */
export async function recordFailures(tx: Tx, failed: readonly FailedBackup[]): Promise<void> {
  if (failed.length === 0) return
  const events = async () => (await queryRows<NamedFailure>(tx, withNames, [JSON.stringify(failed)])).map(eventOf)
  await recordChange(tx, { kind: 'backup.failed', events })
}

interface NamedFailure extends FailedBackup {
  room: string
  region: string
  policy: string
  operationId: string | null
  error: string | null
  errorReasons: Reasons | null
}

/** The operation may have been removed, with how it ended. Rooms and policies that are gone miss no backup. */
const withNames = `
  select f.policy_id, f.room_id, f.due_at, f.outcome, rooms.name as room, region.name as region, p.name as policy,
         s.operation_id, coalesce(o.error, outcome.error) as error,
         coalesce(o.error_reasons, outcome.error_reasons) as error_reasons
    from rows from (jsonb_to_recordset($1::jsonb)
           as ("policyId" uuid, "roomId" uuid, "dueAt" timestamptz, "outcome" text)) as f(policy_id, room_id, due_at, outcome)
    join scheduled_backups s using (policy_id, room_id, due_at)
    join backup_policies p on p.id = f.policy_id and p.deleted_at is null
    join rooms on rooms.id = f.room_id
    join regions region on region.id = rooms.region_id
    left join operations o on o.id = s.operation_id
    left join operation_outcomes outcome on outcome.operation_id = s.operation_id
   order by f.due_at, f.room_id`

function eventOf(row: NamedFailure): OutgoingEvent<'backup.failed'> {
  return { data: dataOf(row), orderingKey: row.roomId, roomId: row.roomId, roomName: row.room }
}

function dataOf({
  policyId,
  roomId,
  room,
  region,
  policy,
  dueAt,
  outcome,
  operationId,
  error,
  ...row
}: NamedFailure): Told {
  return {
    room: { id: roomId, name: room, region },
    policy: { id: policyId, name: policy },
    dueAt,
    outcome,
    operationId,
    text: outcome === 'missed' ? 'The project room or its region was busy all the time.' : (error ?? ''),
    reasons: row.errorReasons ?? [],
  }
}

/**
 * How the scheduled backups of policies have ended lately.
 * @param id only of this policy
 * @returns by the policy's id, without policies that have no known runs
 */
export async function readRuns(db: Db, id: string | null = null): Promise<Map<string, BackupPolicyRuns>> {
  const rows = await queryRows<BackupPolicyRuns & { id: string }>(
    db,
    `select p.id, coalesce(counted.done, 0) as done, coalesce(counted.missed, 0) as missed,
            coalesce(counted.failed, 0) as failed, newest.started_at as last_at
       from backup_policies p
       left join lateral (
         select sum(done) as done, sum(missed) as missed, sum(failed) as failed from scheduled_backup_days d
          where d.policy_id = p.id and d.day > (now() at time zone 'UTC')::date - 7
       ) as counted on true
       left join lateral (
         select started_at from scheduled_backups s
          where s.policy_id = p.id and s.started_at is not null order by started_at desc limit 1
       ) as newest on true
      where p.deleted_at is null and ($1::uuid is null or p.id = $1)`,
    [id],
  )
  return new Map(rows.map(({ id: policy, ...runs }) => [policy, runs]))
}

const runsKeptDays = 60
const runsAtOnce = 5_000
const firstId = '00000000-0000-0000-0000-000000000000'

/** `dueAt`: as PostgreSQL writes it, to the microsecond. */
interface RunKey {
  policyId: string
  roomId: string
  dueAt: string
}

/**
 * Housekeeping: removes old records of scheduled backups in pieces, because there may be millions. Records of backups that
 * still exist stay, because they say which policy keeps the backup; each piece begins behind the rows of the piece before.
 */
export async function removeOldRuns(db: Db, atOnce = runsAtOnce): Promise<void> {
  let last: RunKey = { policyId: firstId, roomId: firstId, dueAt: '-infinity' }
  const removeSome = async () => {
    const values = [runsKeptDays, last.dueAt, last.policyId, last.roomId, atOnce]
    const [row] = await queryRows<RunKey>(db, removeNext, values)
    last = row ?? last
    return row !== undefined
  }
  await piecesUntil(removeSome, Number.POSITIVE_INFINITY)
  await queryRows(
    db,
    `delete from scheduled_backup_days where day < (${steadyTime} at time zone 'UTC')::date - $1::int`,
    [runsKeptDays],
  )
}

/** @returns the last row of the piece */
const removeNext = `
  with piece as materialized (
    select policy_id, room_id, due_at, operation_id from scheduled_backups
     where state in ('done', 'failed', 'missed') and due_at < ${steadyTime} - make_interval(days => $1)
       and (due_at, policy_id, room_id) > ($2::timestamptz, $3::uuid, $4::uuid)
     order by due_at, policy_id, room_id limit $5
  ), removed as (
    delete from scheduled_backups s using piece
     where s.policy_id = piece.policy_id and s.room_id = piece.room_id and s.due_at = piece.due_at
       and not exists (select from room_backups b where b.id = piece.operation_id
                           and (b.expires_at is null or exists (select from deleted_rooms d where d.room_id = b.room_id)))
  )
  select policy_id, room_id, due_at::text from piece order by due_at desc, policy_id desc, room_id desc limit 1`

const removeOfPolicy = `
  delete from scheduled_backups where (policy_id, room_id, due_at) in (
    select policy_id, room_id, due_at from scheduled_backups where policy_id = $1 limit $2)
  returning 1`

/** Housekeeping: what deleted policies have left, and then themselves. */
export async function removeDeletedPolicies(db: Db, until: number): Promise<void> {
  const deleted = await queryRows<{ id: string }>(db, 'select id from backup_policies where deleted_at is not null')
  // Each statement removes runs of one policy, so that PostgreSQL looks only at its part of the index.
  for (const { id } of deleted) await inPieces(db, removeOfPolicy, [id, runsAtOnce], runsAtOnce, until)
  await queryRows(
    db,
    `delete from backup_policies p where deleted_at is not null
        and not exists (select from scheduled_backups s where s.policy_id = p.id)`,
  )
}

const operationsKeptDays = 7
const operationsAtOnce = 1_000

/**
 * Housekeeping: a million rooms have a million scheduled operations a day. Those that went well at once are removed
 * after a few days: what lasts is the backup, the record of when it was due, and the counts. Failed and retried ones
 * stay as long as all other operations, because an operator may look into them.
 */
export async function removeScheduledOperations(db: Db, until: number): Promise<void> {
  await inPieces(
    db,
    `delete from operations where id in (
       select id from operations o
        where o.attempt = 1 and o.ended_at < ${steadyTime} - make_interval(days => $1) and ${succeededScheduledOperation}
        order by o.ended_at limit $2)
     returning 1`,
    [operationsKeptDays, operationsAtOnce],
    operationsAtOnce,
    until,
  )
}
