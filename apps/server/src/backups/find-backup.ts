/** Finds recorded backups of rooms. */
import type { RoomBackup } from '@roomkeeper/contract'
import type { Selectable } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { RoomBackupsTable } from './tables.ts'

export type RoomBackupRow = Selectable<RoomBackupsTable>

/** Newest first. @throws Refusal `room-unknown` */
export async function listBackups(db: Db, roomName: string): Promise<RoomBackup[]> {
  const room = await db.selectFrom('rooms').select('id').where('name', '=', roomName).executeTakeFirst()
  if (room === undefined) throw refuse('room-unknown', { room: roomName })
  return db
    .selectFrom('roomBackups')
    .select(['id', 'createdAt', 'size', 'sha256', 'kind', 'location', 'verifiedAt'])
    .where('roomId', '=', room.id)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
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

/** @throws Refusal `backup-unknown` */
export async function findBackup(db: Db | Tx, id: string): Promise<RoomBackupRow> {
  const [row] = await queryRows<RoomBackupRow>(
    db,
    'select * from room_backups where id = $1 and (expires_at is null or expires_at > now())',
    [id],
  )
  if (row === undefined) throw refuse('backup-unknown')
  return row
}
