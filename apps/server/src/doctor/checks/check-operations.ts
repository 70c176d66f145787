/** Finds orphaned operations, and reservations whose operation has ended. */

import { findOrphaned } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'

/** Longer than any takeover and than the interval of any recurring work. */
const graceSeconds = 120

export async function checkOperations({ db }: DoctorParts): Promise<NewFinding[]> {
  const open = await findOrphaned(db, graceSeconds)
  const reservations = await leftoverReservations(db)
  return [
    ...open.map(
      ({ id, kind, roomName, why }): NewFinding => ({
        kind: 'operation-unclaimed',
        section: 'operations',
        subject: id,
        facts: { operation: kind, room: roomName, why },
      }),
    ),
    ...reservations.map(
      ({ roomId, regionId, room, region }): NewFinding => ({
        kind: 'reservation-left-over',
        section: 'operations',
        subject: roomId,
        regionId,
        facts: { room: room ?? roomId, region },
      }),
    ),
  ]
}

/** One statement, hence one snapshot: an operation frees its reservation in the transaction that ends it. */
function leftoverReservations(db: DoctorParts['db']) {
  return queryRows<{ roomId: string; regionId: number; room: string | null; region: string }>(
    db,
    `select place.room_id, place.region_id, rooms.name as room, regions.name as region
       from capacity_reservations place join regions on regions.id = place.region_id
       left join rooms on rooms.id = place.room_id
      where not exists (select from operations o where o.id = place.operation_id and o.ended_at is null)
      order by place.room_id limit 1000`,
  )
}
