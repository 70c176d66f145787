/**
 * Records how the operations of scheduled backups have ended; the failed ones are counted. One that has failed and was
 * then retried with success is done: it counts for retention.
 */
import { queryRows, type Tx } from '#platform/database.ts'

export async function settleEnded(tx: Tx): Promise<void> {
  await queryRows(
    tx,
    `with ended as (
       select s.policy_id, s.room_id, s.due_at,
              case when coalesce(o.state, outcome.state) = 'done' then 'done' else 'failed' end as state
         from scheduled_backups s
         left join operations o on o.id = s.operation_id
         left join operation_outcomes outcome on outcome.operation_id = s.operation_id
        where s.state = 'started' and (o.id is null or o.ended_at is not null)
       union all
       select s.policy_id, s.room_id, s.due_at, 'done'
         from scheduled_backups s
         join operations o on o.id = s.operation_id and o.state = 'done'
        where s.state = 'failed'
     ), settled as (
       update scheduled_backups s set state = ended.state, is_tidied = false from ended
        where s.policy_id = ended.policy_id and s.room_id = ended.room_id and s.due_at = ended.due_at
       returning s.policy_id, s.state
     )
     update backup_policies p set failed = failed + of_policy.n
       from (select policy_id, count(*) as n from settled where state = 'failed' group by policy_id) as of_policy
      where of_policy.policy_id = p.id`,
  )
}
