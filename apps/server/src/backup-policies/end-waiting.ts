/** Scheduled backups that are not begun any more: their time is over, or nobody wants them since a policy was changed. */
import { sql } from 'kysely'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import { countEnds } from './count-ends.ts'
import { isCovered } from './covered-rooms.ts'
import { type FailedBackup, failedOfSettled, recordFailures } from './record-failures.ts'
import { lockStoredPolicy } from './stored-policy.ts'

const atOnce = 5_000

export async function policiesThatForget(db: Db): Promise<string[]> {
  const found = await queryRows<{ id: string }>(db, 'select id from backup_policies where discard_until is not null')
  return found.map(({ id }) => id)
}

/** @returns whether there may be more */
export function deleteUnwantedBatch(database: Database, policyId: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    await queryRows(tx, 'select from backup_policies where id = $1 for no key update', [policyId])
    const removed = await queryRows(
      tx,
      `delete from scheduled_backups where (policy_id, room_id, due_at) in (
         select s.policy_id, s.room_id, s.due_at from scheduled_backups s join backup_policies p on p.id = s.policy_id
          where s.policy_id = $1 and s.state = 'waiting' and s.due_at <= p.discard_until limit $2)
       returning 1`,
      [policyId, atOnce],
    )
    if (removed.length === atOnce) return true
    await queryRows(tx, 'update backup_policies set discard_until = null where id = $1', [policyId])
    return false
  })
}

export async function policiesWithLate(db: Db, now: Date): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    `select id from backup_policies p where deleted_at is null and exists (
       select from scheduled_backups s where s.policy_id = p.id and s.state = 'waiting' and s.try_until <= $1)`,
    [now],
  )
  return found.map(({ id }) => id)
}

/** Whose room is gone, or no longer belongs to the policy, has missed nothing. @returns whether there may be more */
export function markMissedBatch(database: Database, policyId: string, now: Date): Promise<boolean> {
  return database.transaction(async (tx) => {
    const policy = await lockStoredPolicy(tx, policyId)
    if (policy === null) return false
    const isWanted = sql`exists (
      select from rooms where rooms.id = s.room_id and ${await isCovered(tx, policy.rooms)})`
    const isLate = sql`s.policy_id = late.policy_id and s.room_id = late.room_id and s.due_at = late.due_at`
    const { rows } = await sql<{ n: number; failed: FailedBackup[] }>`
      with late as materialized (
        select s.policy_id, s.room_id, s.due_at, ${isWanted} as is_wanted from scheduled_backups s
         where s.policy_id = ${policyId}::uuid and s.state = 'waiting' and s.try_until <= ${now}::timestamptz
         order by s.try_until limit ${atOnce} for update of s
      ), forgotten as (
        delete from scheduled_backups s using late where ${isLate} and not late.is_wanted
      ), settled as (
        update scheduled_backups s set state = 'missed' from late where ${isLate} and late.is_wanted
        returning s.policy_id, s.room_id, s.due_at, 'waiting' as was, s.state
      ), ${sql.raw(countEnds)}
      select count(*)::int as n, ${sql.raw(failedOfSettled)} from late`.execute(tx)
    await recordFailures(tx, rows[0]?.failed ?? [])
    return rows[0]?.n === atOnce
  })
}
