/** Finds recorded backups of rooms. */
import type { RoomBackup } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { hasDamagedIndexes, isKnownBad } from './record-backup.ts'

export interface RoomBackupRow {
  id: string
  roomId: string
  roomName: string
  kind: 'classic' | 'd2o'
  location: string
  size: number
  sha256: string
  createdAt: string
  /** When the file was last read back and found whole: `checkedAt` on the wire. */
  readBackAt: string | null
  /** When it was last restored in a test: `verifiedAt` on the wire. */
  restoredAt: string | null
  /** When the doctor last read the file, regardless of the result. */
  checkedAt: string | null
  expiresAt: string | null
}

export const roomBackupColumns = `b.id, b.room_id, b.room_name, b.kind, b.location, b.size, b.sha256, b.created_at,
  b.read_back_at, b.restored_at, b.checked_at, b.expires_at`

/** Newest first. @throws Refusal `room-unknown` */
export async function listBackups(db: Db, roomName: string): Promise<RoomBackup[]> {
  const [room] = await queryRows<{ id: string }>(db, 'select id from rooms where name = $1', [roomName])
  if (room === undefined) throw refuse('room-unknown', { room: roomName })
  return queryRows<RoomBackup>(
    db,
    `select b.id, b.created_at, b.size, b.sha256, b.kind, b.location,
            b.read_back_at as checked_at, b.restored_at as verified_at,
            ${isKnownBad} as is_known_bad, ${hasDamagedIndexes} as has_damaged_indexes,
            coalesce(scheduled.policies, '{}') as policies
       from room_backups b left join (
         select s.operation_id, array_agg(p.name order by p.name) as policies
           from scheduled_backups s join backup_policies p on p.id = s.policy_id and p.deleted_at is null
          where s.room_id = $1 group by s.operation_id
       ) as scheduled on scheduled.operation_id = b.id
      where b.room_id = $1 order by b.created_at desc, b.id`,
    [room.id],
  )
}

/** Counts the backups of the room and of its databases, whether or not the console still has a room with this id. */
export async function countBackups(db: Db, roomId: string): Promise<number> {
  const kept = `where room_id = $1 and (expires_at is null or expires_at > now())`
  const [counted] = await queryRows<{ n: number }>(
    db,
    `select (select count(*) from room_backups ${kept}) + (select count(*) from database_backups ${kept}) as n`,
    [roomId],
  )
  return counted?.n ?? 0
}

/**
 * The id of the newest backup that is known to be whole: read back, or restored in a test; if none is, of the newest. Those
 * known to be bad do not count. Null if there is none.
 */
export async function newestGoodBackup(db: Db, roomId: string): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(
    db,
    `select id from room_backups b where room_id = $1 and not ${isKnownBad}
      order by coalesce(restored_at, read_back_at) is null, created_at desc, id limit 1`,
    [roomId],
  )
  return row?.id ?? null
}

/** The id of the newest backup that was restored in a test and is not known to be bad; null if there is none. */
export async function newestRestoredBackup(db: Db, roomId: string): Promise<string | null> {
  const [row] = await queryRows<{ id: string }>(
    db,
    `select id from room_backups b where room_id = $1 and restored_at is not null and not ${isKnownBad}
      order by created_at desc, id limit 1`,
    [roomId],
  )
  return row?.id ?? null
}

/** Also finds a backup that has expired, for an operation that was started before. */
export async function findRecordedBackup(db: Db, id: string): Promise<RoomBackupRow | null> {
  const [row] = await queryRows<RoomBackupRow>(db, `select ${roomBackupColumns} from room_backups b where id = $1`, [
    id,
  ])
  return row ?? null
}

/** @throws Refusal `backup-unknown` */
export async function findBackup(db: Db | Tx, id: string): Promise<RoomBackupRow> {
  const [row] = await queryRows<RoomBackupRow>(
    db,
    `select ${roomBackupColumns} from room_backups b where id = $1 and (expires_at is null or expires_at > now())`,
    [id],
  )
  if (row === undefined) throw refuse('backup-unknown')
  return row
}

/** @returns the id of the D2O backup at an `s3://` URI; null if none is recorded, as of another console's */
export async function findRecordedAt(tx: Tx, location: string): Promise<string | null> {
  const recorded = `select id from room_backups where kind = 'd2o' and location = $1`
  const [backup] = await queryRows<{ id: string }>(tx, recorded, [location])
  return backup?.id ?? null
}
