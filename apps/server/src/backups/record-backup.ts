/** Records the backups that operations have made. */
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { latestTime, steadyTime } from '#platform/steady-time.ts'
import { lockUnread, refuseWhileAnyIsRemoved } from './backup-uses.ts'

export interface NewRoomBackup {
  /** Chosen by the operation, so that a repeated step records the same backup. */
  id: string
  roomId: string
  roomName: string
  /** `classic` backups are in the backup store, `d2o` backups in an object store, where the region wrote them. */
  kind: 'classic' | 'd2o'
  /** The key in the backup store (classic) or the `s3://…` URI (d2o). */
  location: string
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** When the backup was read back and found intact; null if it was not read back. */
  readBackAt: string | null
}

/** Recording the same backup again changes nothing. */
export async function recordRoomBackup(tx: Db | Tx, backup: NewRoomBackup): Promise<void> {
  const { id, roomId, roomName, kind, location, size, sha256, readBackAt } = backup
  await queryRows(
    tx,
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, read_back_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing`,
    [id, roomId, roomName, kind, location, size, sha256, readBackAt],
  )
}

/** Removes the record, if there is one. @throws Refusal `backup-in-use` */
export async function forgetRoomBackup(tx: Tx, id: string): Promise<void> {
  await lockUnread(tx, id)
  await queryRows(tx, 'delete from room_backups where id = $1', [id])
}

/** Removes the records of the room's backups with these keys of the store. @throws Refusal `backup-in-use` */
export async function forgetRoomBackupsAt(tx: Tx, roomId: string, keys: readonly string[]): Promise<void> {
  const found = await queryRows<{ id: string }>(
    tx,
    'select id from room_backups where room_id = $1 and location = any($2::text[])',
    [roomId, keys],
  )
  for (const { id } of found) await forgetRoomBackup(tx, id)
}

/** Records that the backup was restored in a test. @returns false if it was deleted meanwhile */
export async function recordRestored(tx: Tx, id: string, restoredAt: string): Promise<boolean> {
  const recorded = await queryRows(tx, 'update room_backups set restored_at = $2 where id = $1 returning id', [
    id,
    restoredAt,
  ])
  return recorded.length > 0
}

export interface DatabaseBackup {
  id: string
  databaseName: string
  /** The key in the backup store. */
  storeKey: string
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** The password of the .adb, sealed. */
  sealedPassword: string
}

export interface NewDatabaseBackup extends DatabaseBackup {
  roomId: string
  /** When the backup was read back and found intact. */
  readBackAt: string
}

/** Recording the same backup again changes nothing. */
export async function recordDatabaseBackup(tx: Db | Tx, backup: NewDatabaseBackup): Promise<void> {
  const { id, roomId, databaseName, storeKey, size, sha256, sealedPassword, readBackAt } = backup
  await queryRows(
    tx,
    `insert into database_backups
       (id, room_id, database_name, store_key, size, sha256, sealed_password, checked_at, proved_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict (id) do nothing`,
    [id, roomId, databaseName, storeKey, size, sha256, sealedPassword, readBackAt],
  )
}

/** Removes the record, if there is one. @throws Refusal `backup-in-use` */
export async function forgetDatabaseBackup(tx: Tx, id: string): Promise<void> {
  await lockUnread(tx, id)
  await queryRows(tx, 'delete from database_backups where id = $1', [id])
}

export type StoredDatabaseBackup = DatabaseBackup & { createdAt: string }

/**
 * The newest backup that is not known to be bad, because an older intact backup is worth more than a newer one that is
 * lost. If all are known to be bad, the newest of them; null if there is none. Names are compared regardless of case.
 */
export async function newestDatabaseBackup(
  db: Db | Tx,
  roomId: string,
  databaseName: string,
): Promise<StoredDatabaseBackup | null> {
  const [row] = await queryRows<StoredDatabaseBackup>(
    db,
    `select ${databaseColumns} from database_backups b where room_id = $1 and lower(database_name) = lower($2)
      order by ${isKnownBad}, created_at desc limit 1`,
    [roomId, databaseName],
  )
  return row ?? null
}

/** The same backup for each database of the room. */
export function newestDatabaseBackups(db: Db | Tx, roomId: string): Promise<StoredDatabaseBackup[]> {
  return queryRows<StoredDatabaseBackup>(
    db,
    `select distinct on (lower(database_name)) ${databaseColumns} from database_backups b where room_id = $1
      order by lower(database_name), ${isKnownBad}, created_at desc`,
    [roomId],
  )
}

/** True if the doctor, or a restore in a test, has found that the backup `b` is missing or was altered. */
export const isKnownBad = `exists (select from doctor_findings f
  where f.kind in ('backup-missing', 'backup-altered') and f.subject = b.id::text and f.closed_at is null)`

/** True if a restore in a test has found damaged indexes in the backup `b`. */
export const hasDamagedIndexes = `exists (select from doctor_findings f
  where f.kind = 'indexes-damaged' and f.subject = b.id::text and f.closed_at is null)`

const databaseColumns = 'id, database_name, store_key, size, sha256, sealed_password, created_at'

/** As long as backups outlive rooms that cannot come back. */
const usualDays = 30

/** Called when the room is deleted: its backups expire that many days later. */
export async function expireBackupsOfRoom(tx: Db | Tx, roomId: string, days = usualDays): Promise<void> {
  for (const table of ['room_backups', 'database_backups']) {
    await queryRows(
      tx,
      `update ${table} set expires_at = ${latestTime} + make_interval(days => $2) where room_id = $1 and expires_at is null`,
      [roomId, days],
    )
  }
}

/**
 * Called when the room exists again: its backups no longer expire. Those of a deleted room are there as long as that is
 * listed, even if the restore ends after their time.
 * @throws Refusal `backup-in-use` while housekeeping removes one of them
 */
export async function retainBackupsOfRoom(tx: Db | Tx, roomId: string): Promise<void> {
  for (const table of ['room_backups', 'database_backups'])
    await queryRows(
      tx,
      `update ${table} set expires_at = null where room_id = $1
          and (not coalesce(expires_at <= ${steadyTime}, false) or exists (select from deleted_rooms d where d.room_id = $1))`,
      [roomId],
    )
  await refuseWhileAnyIsRemoved(tx, roomId)
}
