/** The last known region of a room, from the audit trail. */
import { type Db, queryRows } from '#platform/database.ts'

/** @returns the region's name, or null if the audit trail does not know it */
export async function lastRegionOf(db: Db, roomId: string): Promise<string | null> {
  const [last] = await queryRows<{ region: string }>(
    db,
    `select region from (
       select a.id, case a.action
           when 'room.remove-with-region' then a.detail
           when 'room.migrate' then a.changes->0->>'to'
           when 'room.adopt' then substring(a.detail from '^found in the region (.*)$')
           else (select r.name from operations o join regions r on r.id = o.region_id where o.id = a.operation_id)
         end as region
         from audit a where a.room_id = $1) known
      where region is not null order by id desc limit 1`,
    [roomId],
  )
  return last?.region ?? null
}
