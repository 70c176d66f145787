/** Retries that wait until a region is back: each failed operation is retried by one of them only. */
import { queryRows, type Tx } from '#platform/database.ts'

const isOfRegions = `b.action = 'retry' and b.parameters ->> 'whenRegionIsBack' = 'true'`

/** A statement for the rooms that wait in such a bulk, and in whose name. */
export const waitingRetries = `
  select distinct on (i.room_id) i.room_id, b.acts_for
    from bulks b join operation_items i on i.parent_id = b.id and i.state in ('waiting', 'running')
   where ${isOfRegions} and b.ended_at is null order by i.room_id, b.started_at`

/** @returns in whose name another one retries what failed in the room, or has done so since this one was started; null: none */
export async function retriedByAnother(tx: Tx, bulkId: string, roomId: string): Promise<string | null> {
  const [other] = await queryRows<{ actsFor: string }>(
    tx,
    `select b.acts_for
       from bulks own
       join bulks b on b.id <> own.id and (b.ended_at is null or b.ended_at > own.started_at)
       join operation_items i on i.parent_id = b.id and i.room_id = $2
      where own.id = $1 and ${isOfRegions}
        and case when i.state in ('waiting', 'running') then b.started_at < own.started_at
                 else i.operation_id is not null and i.ended_at > own.started_at end
      limit 1`,
    [bulkId, roomId],
  )
  return other?.actsFor ?? null
}
