import { queryRows, type Tx } from '#platform/database.ts'

/**
 * Records how the operations of rooms ended, in one statement. Moves record it themselves.
 * @param roomIds null: of all rooms under way
 */
export async function settleRooms(tx: Tx, bulkId: string, roomIds: readonly string[] | null): Promise<void> {
  await queryRows(
    tx,
    `with ended as (
       select i.room_id, coalesce(o.state, outcome.state, 'failed') as state,
              coalesce(o.error, outcome.error) as error, coalesce(o.error_reasons, outcome.error_reasons) as reasons,
              o.ended_at
         from operation_items i
         left join operations o on o.id = i.operation_id
         left join operation_outcomes outcome on outcome.operation_id = i.operation_id
        where i.parent_id = $1 and i.state = 'running' and (o.id is null or o.ended_at is not null)
          and ($2::uuid[] is null or i.room_id = any($2))
     )
     update operation_items i
        set state = ended.state, ended_at = coalesce(ended.ended_at, now()),
            reason = case when ended.state = 'failed' then ended.error end,
            reasons = case when ended.state = 'failed' then ended.reasons end
       from ended where i.parent_id = $1 and i.room_id = ended.room_id`,
    [bulkId, roomIds],
  )
}
