/**
 * Housekeeping: forgets deleted rooms that cannot come back any more. Their backups expire at the same moment. One whose
 * purge has begun stays until there is a certificate.
 */
import { type Database, queryRows } from '#platform/database.ts'

/**
 * Never while a room is restored or purged: whoever starts that locks the row first, and the second statement sees what
 * was started until this one had the locks.
 */
export async function tidyDeletedRooms(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const due = await queryRows<{ id: string }>(
      tx,
      `select id from deleted_rooms where kept_until <= now() and purge_begun_at is null
        limit 1000 for update skip locked`,
    )
    if (due.length === 0) return
    await queryRows(
      tx,
      `delete from deleted_rooms d where id = any($1::uuid[])
          and not exists (select from operations o where o.id = d.operation_id and o.ended_at is null)
          and not exists (select from rooms r where r.id = d.room_id)`,
      [due.map(({ id }) => id)],
    )
  })
}
