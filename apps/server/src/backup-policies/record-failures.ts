/** Records which scheduled backups failed or were missed. */
import type { Reasons, WebhookData } from '@roomkeeper/contract'
import { recordChange, type ToldEvent } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'

type Told = WebhookData<'backup.failed'>

/** One that has just ended so. */
export interface FailedBackup {
  policyId: string
  roomId: string
  dueAt: string
  outcome: Told['outcome']
}

/** A column of a statement with a part `settled`, see count-ends.ts: a list of `FailedBackup`. */
export const failedOfSettled = `
  (select coalesce(jsonb_agg(jsonb_build_object(
            'policyId', policy_id, 'roomId', room_id, 'dueAt', due_at, 'outcome', state) order by due_at, room_id), '[]')
     from settled where state in ('failed', 'missed')) as failed`

/** The rooms are not locked, because there may be thousands: these events have no order with others of the moment. */
export async function recordFailures(tx: Tx, failed: readonly FailedBackup[]): Promise<void> {
  if (failed.length === 0) return
  const events = async () => (await queryRows<Row>(tx, withNames, [JSON.stringify(failed)])).map(eventOf)
  await recordChange(tx, { kind: 'backup.failed', events })
}

interface Row extends FailedBackup {
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

function eventOf(row: Row): ToldEvent<'backup.failed'> {
  return { data: dataOf(row), orderingKey: row.roomId, roomId: row.roomId, roomName: row.room }
}

function dataOf({ policyId, roomId, room, region, policy, dueAt, outcome, operationId, error, ...row }: Row): Told {
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
