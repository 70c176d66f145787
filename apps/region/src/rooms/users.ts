/**
 * The users of a room. The owner is the first user, the delegate the second. Both get a full licence if the room has
 * any: a free one, or one taken from another user.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { RoomContacts } from '@roomkeeper/region-protocol'

type UserRole = 'owner' | 'delegate' | 'user'
export interface RoomUser {
  id: string
  email: string
  role: UserRole
  licenseKey: string | null
}

/** Appoints the owner and delegate of the contacts. The previous ones stay as ordinary users. */
export function writeContacts(database: DatabaseSync, contacts: RoomContacts): void {
  const delegate = contacts.delegateEmail?.trim() || null
  database.exec("UPDATE users SET role = 'user'")
  appoint(database, contacts.ownerEmail.trim(), 'owner')
  if (delegate !== null) appoint(database, delegate, 'delegate')
  for (const user of listUsers(database).filter((each) => each.role !== 'user')) giveLicence(database, user)
}

/** The owner first, then the delegate. */
export function listUsers(database: DatabaseSync): RoomUser[] {
  return database
    .prepare(
      `SELECT id, email, role, licenseKey FROM users
       ORDER BY CASE role WHEN 'owner' THEN 0 WHEN 'delegate' THEN 1 ELSE 2 END, createdAt, id`,
    )
    .all() as unknown as RoomUser[]
}

/** Finds a user by e-mail address or id. */
export function findUser(database: DatabaseSync, user: string): RoomUser | undefined {
  return database
    .prepare('SELECT id, email, role, licenseKey FROM users WHERE email = ?1 OR id = ?1')
    .get(user.trim()) as unknown as RoomUser | undefined
}

/** The owner, who is appointed first, is not the delegate, too. */
function appoint(database: DatabaseSync, email: string, role: UserRole): void {
  database
    .prepare(
      `INSERT INTO users (id, email, role, licenseKey, createdAt) VALUES (?, ?, ?, NULL, ?)
       ON CONFLICT (email) DO UPDATE SET role = excluded.role WHERE role = 'user'`,
    )
    .run(randomUUID(), email, role, new Date().toISOString())
}

/** The licences that let their holder do everything in the room, for all products. */
const fullLicences = ['YABD', 'YAAD', 'YPMBA', 'YPMAA', 'YPMAE', 'YPMEA', 'YPMEE', 'ESA']
const isFull = `licenseKey IN (${fullLicences.map((key) => `'${key}'`).join(', ')})`

function giveLicence(database: DatabaseSync, user: RoomUser): void {
  if (user.licenseKey !== null && fullLicences.includes(user.licenseKey)) return
  const free = database
    .prepare(
      `SELECT licenseKey FROM licences WHERE ${isFull} AND licenseAmount >
         (SELECT count(*) FROM users WHERE users.licenseKey = licences.licenseKey) ORDER BY position LIMIT 1`,
    )
    .get() as { licenseKey: string } | undefined
  const key = free?.licenseKey ?? takeLicence(database)
  if (key !== undefined) database.prepare('UPDATE users SET licenseKey = ? WHERE id = ?').run(key, user.id)
}

function takeLicence(database: DatabaseSync): string | undefined {
  const holder = database
    .prepare(`SELECT id, licenseKey FROM users WHERE role = 'user' AND ${isFull} ORDER BY createdAt DESC LIMIT 1`)
    .get() as { id: string; licenseKey: string } | undefined
  if (holder === undefined) return undefined
  database.prepare('UPDATE users SET licenseKey = NULL WHERE id = ?').run(holder.id)
  return holder.licenseKey
}
