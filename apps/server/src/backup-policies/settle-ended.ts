/**
 * Records how the operations of scheduled backups have ended; they are counted with that. One that has failed and was
 * then retried with success is done: it counts for retention.
 */
import { type Database, queryRows } from '#platform/database.ts'
import { countEnds } from './count-ends.ts'
import { succeededScheduledOperation } from './old-operations.ts'
import { type FailedBackup, failedOfSettled, recordFailures } from './record-failures.ts'
import { lockAllPolicies } from './stored-policy.ts'
import { countForVerification } from './verify-nth.ts'

const atOnce = 5_000

/** @returns whether there may be more */
export function recordEndedBatch(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockAllPolicies(tx)
    const [settled] = await queryRows<{ n: number; failed: FailedBackup[] }>(tx, settle, [atOnce])
    await recordFailures(tx, settled?.failed ?? [])
    return settled?.n === atOnce
  })
}

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
