/** Keeps the row of a room that is deleted, so that the room can come back as it was. */
import { isKnownBad } from '#backups/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { RoomsTable } from '../tables.ts'

interface Deletion {
  roomId: string
  /** Before the deletion. */
  state: RoomsTable['state']
  deletedBy: string
  /** How long the room can come back. */
  days: number
}

/**
 * Called in the transaction that removes the room, before it is removed. A room that was only half brought back, and is
 * deleted again, stays what it was, for another time: its backup is the one to come back from. Whatever else is still
 * known of an earlier deletion is out of date.
 */
export async function keepDeletedRoom(tx: Tx, { roomId, state, deletedBy, days }: Deletion): Promise<void> {
  await queryRows(tx, forgetEarlier, [roomId])
  await queryRows(tx, keep, [roomId, state, deletedBy, days])
}

/** Nobody was let into such a room: it holds nothing that the backup does not hold from which it was to come back. */
export async function isHalfBroughtBack(db: Db | Tx, roomId: string): Promise<boolean> {
  const rows = await queryRows(db, `select 1 from deleted_rooms where room_id = $1 and ${halfBroughtBack}`, [roomId])
  return rows.length > 0
}

/** Of a room that exists: the operation that was to bring it back has left both. */
const halfBroughtBack = '(operation_id is not null and purge_begun_at is null)'

const forgetEarlier = `delete from deleted_rooms where room_id = $1 and not ${halfBroughtBack}`

/**
 * The newest backup that it can come back from, because that holds what was in it last. Regions read classic backups from
 * the console; those in an object store need its keys.
 */
const keep = `insert into deleted_rooms
     (room_id, name, product, edition, customer_email, company_name, columns, backup_id, deleted_by, kept_until)
   select id, name, product::text, edition::text, customer_email, company_name,
          to_jsonb(rooms) || jsonb_build_object('state', $2::text),
          (select b.id from room_backups b where b.room_id = rooms.id and b.kind = 'classic' and not ${isKnownBad}
            order by b.created_at desc limit 1),
          $3, steady_now() + make_interval(days => $4::int)
     from rooms where id = $1
   on conflict (room_id) do update set operation_id = null, kept_until = excluded.kept_until`
