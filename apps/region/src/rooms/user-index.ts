/**
 * The rooms in which a user id may be. An entry is written before a room gets the user and removed after it loses them,
 * so the index never misses a room. A stale entry only costs a needless read of a room.
 */
import type { Region } from '#region.ts'
import { committing, inTransaction } from '#sqlite/database-handles.ts'

export function rememberUsers(region: Region, room: string, users: readonly { id: string }[]): void {
  inTransaction(region.database, () => insertUsers(region, room, users))
}

/** The same, within a transaction of the caller. */
export function insertUsers(region: Region, room: string, users: readonly { id: string }[]): void {
  const insert = region.database.prepare('INSERT OR IGNORE INTO users (id, room) VALUES (?, ?)')
  for (const user of users) insert.run(user.id, room)
}

export function roomsOfUser(region: Region, id: string): string[] {
  const rows = region.database.prepare('SELECT room FROM users WHERE id = ? ORDER BY room').all(id)
  return rows.map((row) => String(row.room))
}

export function forgetUser(region: Region, room: string, id: string): void {
  committing(region.database, () =>
    region.database.prepare('DELETE FROM users WHERE id = ? AND room = ?').run(id, room),
  )
}

export function forgetUsersOf(region: Region, room: string): void {
  committing(region.database, () => region.database.prepare('DELETE FROM users WHERE room = ?').run(room))
}
