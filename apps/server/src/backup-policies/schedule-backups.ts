/**
 * One look of the scheduler: what has ended is settled, what has become due is recorded, what waits is started. Several
 * policies that ask for a backup of a room at the same time get one. The row of the room is locked meanwhile, so a room
 * gets one backup however many workers look.
 */
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { startScheduledBackup } from '#rooms/index.ts'
import { recordDue } from './record-due.ts'
import { settleEnded } from './settle-ended.ts'
import { countForVerification, startDueVerifications } from './verify-nth.ts'

const roomsAtOnce = 500

/** @returns how many backups were started */
export async function scheduleBackups(database: Database, now: Date): Promise<number> {
  const isMine = await database.transaction(async (tx) => {
    if (!(await tryLockUntilCommit(tx, 'backup policies'))) return false
    await settleEnded(tx)
    await countForVerification(tx)
    await recordDue(database, tx, now)
    return true
  })
  if (!isMine) return 0
  const waiting = await queryRows<{ roomId: string }>(
    database.db,
    `select room_id from scheduled_backups where state = 'waiting'
      group by room_id order by min(tried_at) nulls first, min(due_at), room_id limit ${roomsAtOnce}`,
  )
  let started = 0
  for (const { roomId } of waiting) {
    if (await database.transaction((tx) => startFor(tx, roomId, now))) started += 1
  }
  await startDueVerifications(database)
  return started
}

interface Waiting {
  policyId: string
  policy: string
  kind: 'classic' | 'd2o'
  dueAt: string
}

/** @returns whether a backup was started */
async function startFor(tx: Tx, roomId: string, now: Date): Promise<boolean> {
  // Before the rows of the schedule, as whoever starts an operation by hand locks only the room.
  await queryRows(tx, 'select from rooms where id = $1 for update', [roomId])
  await queryRows(tx, lockPolicies, [roomId])
  await countOthers(tx, roomId)
  const [first] = await queryRows<Waiting>(tx, waitingOf, [roomId])
  if (first === undefined) return false
  const operationId = await startScheduledBackup(tx, { roomId, kind: first.kind, policy: first.policy, now })
  if (operationId === null) {
    await queryRows(
      tx,
      `with tried as (
         update scheduled_backups set tried_at = $2, state = case when try_until <= $2 then 'missed' else 'waiting' end
          where room_id = $1 and state = 'waiting' returning policy_id, state
       )
       update backup_policies p set failed = failed + missed.n
         from (select policy_id, count(*) as n from tried where state = 'missed' group by policy_id) as missed
        where missed.policy_id = p.id`,
      [roomId, now],
    )
    return false
  }
  await queryRows(
    tx,
    `update scheduled_backups s set state = 'started', operation_id = $3, started_at = $4
       from backup_policies p where p.id = s.policy_id and s.room_id = $1 and s.state = 'waiting' and p.kind = $2`,
    [roomId, first.kind, operationId, now],
  )
  return true
}

/** A backup that has begun within the window of another policy, by the same way, is its backup, too. */
async function countOthers(tx: Tx, roomId: string): Promise<void> {
  await queryRows(
    tx,
    `update scheduled_backups s set state = other.state, operation_id = other.operation_id, started_at = other.started_at
       from scheduled_backups other
       join backup_policies p on p.id = other.policy_id
      where s.room_id = $1 and s.state = 'waiting' and other.room_id = $1 and other.state in ('started', 'done')
        and other.policy_id <> s.policy_id and other.started_at >= s.counts_from
        and p.kind = (select kind from backup_policies where id = s.policy_id)`,
    [roomId],
  )
}

/** Before the rows of the schedule and in the order of `recordDue`, as whoever changes a policy does. */
const lockPolicies = `
  select from backup_policies where id in (
    select policy_id from scheduled_backups where room_id = $1 and state = 'waiting'
  ) order by name for no key update`

const waitingOf = `
  select policy_id, p.name as policy, p.kind, due_at from scheduled_backups s join backup_policies p on p.id = policy_id
   where room_id = $1 and s.state = 'waiting' order by due_at, policy_id for update of s limit 1`
