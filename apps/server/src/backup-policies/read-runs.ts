/** How the scheduled backups of policies have ended lately. */
import type { BackupPolicyRuns } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

/** @param id only of this policy @returns by the policy's id; without those of which nothing is known */
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
