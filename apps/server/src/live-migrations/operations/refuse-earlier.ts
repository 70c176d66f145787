/**
 * Before a room comes to a region, the region learns to refuse late calls of earlier operations that ended while it was
 * unreachable. One of those calls might delete the copy. How the operations ended does not matter: a move that has left
 * its clean-up to another operation has succeeded.
 */
import type { RegionClient } from '@roomkeeper/region-protocol'
import { queryRows } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { refuseCallsOf } from '#regions/index.ts'
import type { MoveCall } from './move-call.ts'

export async function refuseEarlier(call: MoveCall, target: RegionClient): Promise<void> {
  // No call stays on its way for longer than a day.
  const earlier = await queryRows<{ id: string; fence: number }>(call.services.db, earlierOfRoom, [
    call.roomId,
    call.id,
    call.input.targetRegionId,
  ])
  await refuseCallsOf(target, earlier, call.mark)
}

const earlierOfRoom = prepared(
  `with own as (select id, kind, fence, ended_at from operations where room_id = $1 and id <> $2),
          all_of_them as (
            select id, fence, ended_at from own
             union all
            select o.id, o.fence, o.ended_at from operations o join own on own.id = o.parent_id
             where own.kind = 'room.migrate' and o.kind in ('migration.leave-target', 'migration.leave-source')
             union all
            select id, fence, ended_at from operations
             where kind = 'migration.force-delete' and process_type = 'Delete PR' and region_id = $3
               and ended_at > now() - interval '1 day'
          )
     select distinct id, fence from all_of_them where ended_at > now() - interval '1 day'`,
)
