/**
 * Rooms that were removed with their region. They still exist on their server, so their backups stay until an operator
 * deletes them, and their labels and notes stay, too. If such a room is adopted again, all that belongs to it again, and
 * a later deletion treats it like that of any deleted room.
 */
import type { RemovedRoomBackup } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { hasDamagedIndexes, isKnownBad } from './record-backup.ts'

/** Must be called while the rooms of the region still exist. */
export async function rememberRoomsOfRegion(tx: Tx, regionId: number, regionName: string): Promise<void> {
  await queryRows(
    tx,
    `insert into removed_rooms (room_id, room_name, region_name, labels)
     select id, name, $2, labels from rooms
      where region_id = $1 and (labels <> '{}'
                             or exists (select from room_notes n where n.room_id = rooms.id)
                             or exists (select from room_backups b where b.room_id = rooms.id)
                             or exists (select from database_backups b where b.room_id = rooms.id))
     on conflict (room_id) do update
       set room_name = excluded.room_name, region_name = excluded.region_name, labels = excluded.labels,
           removed_at = now()`,
    [regionId, regionName],
  )
}

/** Called when the room has been adopted. Its notes and backups need not be taken over: they are stored by its id. */
export async function takeFromRemoved(tx: Tx, roomId: string): Promise<void> {
  await queryRows(
    tx,
    `with removed as (delete from removed_rooms where room_id = $1 returning room_id, labels)
     update rooms set labels = removed.labels from removed where rooms.id = removed.room_id`,
    [roomId],
  )
}

const ofRemovedRooms = `
  select id, room_id, kind, location, size, sha256, read_back_at, restored_at, created_at, expires_at,
         null as database_name
    from room_backups where room_id in (select room_id from removed_rooms)
  union all
  select id, room_id, 'database', store_key, size, sha256, null, null, created_at, expires_at, database_name
    from database_backups where room_id in (select room_id from removed_rooms)`
const rows = `(${ofRemovedRooms}) b join removed_rooms r using (room_id)
  where (b.expires_at is null or b.expires_at > now()) and not exists (select from rooms where id = b.room_id)
    and not exists (select from deleted_rooms d where d.room_id = b.room_id)`

export async function listRemovedBackups(db: Db, { page, size }: { page: number; size: number }) {
  const data = await queryRows<RemovedRoomBackup>(
    db,
    `select b.id, b.created_at, b.size, b.sha256, b.kind, b.location,
        b.read_back_at as checked_at, b.restored_at as verified_at, ${isKnownBad} as is_known_bad, ${hasDamagedIndexes} as has_damaged_indexes,
        r.room_name as project_room_name, b.database_name, r.region_name, r.removed_at
       from ${rows} order by r.removed_at desc, r.room_name, b.created_at desc, b.id limit $1 offset $2::bigint * $1`,
    [size, page],
  )
  const [count] = await queryRows<{ total: number }>(db, `select count(*)::int as total from ${rows}`)
  const totalElements = count?.total ?? 0
  return { data, totalElements, totalPages: Math.ceil(totalElements / size) }
}

export interface RemovedDatabaseBackup {
  id: string
  storeKey: string
  sha256: string
  roomId: string
  roomName: string
}

/** Null if there is no such backup, or if its room still exists. */
export async function findRemovedDatabase(db: Db, id: string): Promise<RemovedDatabaseBackup | null> {
  const [row] = await queryRows<RemovedDatabaseBackup>(
    db,
    `select b.id, b.store_key, b.sha256, b.room_id, r.room_name
       from database_backups b join removed_rooms r using (room_id)
      where b.id = $1 and not exists (select from rooms where id = b.room_id)
        and not exists (select from deleted_rooms d where d.room_id = b.room_id)`,
    [id],
  )
  return row ?? null
}
