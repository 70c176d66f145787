import { type Db, queryRows } from '#platform/database.ts'
import type { EarlierMove } from './estimate-seconds.ts'

const mostMoves = 200

/** The newest successful moves between any regions: the bytes that each carried, and how long it ran. */
export function earlierMoves(db: Db): Promise<EarlierMove[]> {
  return queryRows<EarlierMove>(
    db,
    `select bytes::float8 as bytes, extract(epoch from moved.ended_at - began.at)::float8 as seconds
       from (select operation_id, bytes, ended_at from operation_items
              where state = 'done' and bytes is not null order by ended_at desc limit ${mostMoves}) moved
       cross join lateral (select min(started_at) as at from operation_steps where operation_id = moved.operation_id) began
      where began.at is not null`,
  )
}
