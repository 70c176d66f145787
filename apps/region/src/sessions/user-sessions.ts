/** The sessions of customer users in a room. system.db keeps them by their token's hash, so they survive a restart. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { OpenedSession, UserSession } from '@roomkeeper/region-protocol'
import { hashOf } from '#http/sign-in.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { findRoom } from '#rooms/find-room.ts'
import type { RoomRecord } from '#rooms/room-record.ts'
import { dayHasPassed, readExpirationDate } from '#rooms/room-settings.ts'
import { findUser } from '#rooms/users.ts'
import { committing, inTransaction } from '#sqlite/database-handles.ts'

const idleMinutes = 30
/** Activity is recorded at most this often, so that not every read causes a write. */
const touchSeconds = 60
/** One session shows that the room is in use. All sessions of a very large room would not fit into an answer. */
const listedAtMost = 10_000

/**
 * The active sessions, at most the oldest `listedAtMost`. A suspended room has none, but its sessions continue if it is
 * resumed before they expire.
 */
export function listSessions(region: Region, room: string): UserSession[] {
  const record = findRoom(region, room)
  if (record.state === 'suspended') return []
  const rows = systemOf(region, room)
    .prepare(`${select} WHERE lastActiveAt > ? ORDER BY sessions.startedAt, sessions.id LIMIT ${listedAtMost}`)
    .all(oldest())
  return rows.map((row) => sessionOf(row as unknown as SessionRow))
}

/** `user`: e-mail address or id. @throws {Refusal} 'room-unknown', 'room-suspended', 'room-expired', 'user-unknown' */
export function openSession(region: Region, room: string, user: string): OpenedSession {
  const system = systemOf(region, room)
  refuseWhenClosed(findRoom(region, room), system)
  const found = findUser(system, user)
  if (found === undefined) throw refuse('user-unknown', { room })
  const token = randomBytes(32).toString('base64url')
  const now = new Date().toISOString()
  const row = { id: randomUUID(), userId: found.id, user: found.email, startedAt: now, lastActiveAt: now }
  inTransaction(system, () => {
    system.prepare('DELETE FROM sessions WHERE lastActiveAt <= ?').run(oldest())
    system
      .prepare('INSERT INTO sessions (id, userId, tokenHash, startedAt, lastActiveAt) VALUES (?, ?, ?, ?, ?)')
      .run(row.id, row.userId, hashOf(token), now, now)
  })
  return { ...sessionOf(row), token }
}

/** Idempotent. @throws {Refusal} 'room-unknown' */
export function endSession(region: Region, room: string, id: string): void {
  findRoom(region, room)
  const system = systemOf(region, room)
  committing(system, () => system.prepare('DELETE FROM sessions WHERE id = ?').run(id))
}

/** Lets a user's request in. @throws {Refusal} 'signed-out', 'room-suspended', 'room-expired' */
export function enterRoom(region: Region, record: RoomRecord, token: string | null): UserSession {
  const system = systemOf(region, record.name)
  refuseWhenClosed(record, system)
  const row =
    token === null
      ? undefined
      : system.prepare(`${select} WHERE tokenHash = ? AND lastActiveAt > ?`).get(hashOf(token), oldest())
  if (row === undefined) throw refuse('signed-out')
  const session = sessionOf(row as unknown as SessionRow)
  if (Date.parse(session.lastActiveAt) < Date.now() - touchSeconds * 1000)
    committing(system, () =>
      system.prepare('UPDATE sessions SET lastActiveAt = ? WHERE id = ?').run(new Date().toISOString(), session.id),
    )
  return session
}

const select = `
  SELECT sessions.id, sessions.userId, users.email AS user, sessions.startedAt, sessions.lastActiveAt
  FROM sessions JOIN users ON users.id = sessions.userId`
type SessionRow = Omit<UserSession, 'expiresAt'>

function sessionOf(row: SessionRow): UserSession {
  return { ...row, expiresAt: new Date(Date.parse(row.lastActiveAt) + idleMinutes * 60_000).toISOString() }
}

function oldest(): string {
  return new Date(Date.now() - idleMinutes * 60_000).toISOString()
}

function refuseWhenClosed(record: RoomRecord, system: DatabaseSync): void {
  if (record.state === 'suspended') throw refuse('room-suspended', { room: record.name })
  const day = readExpirationDate(system)
  if (dayHasPassed(day)) throw refuse('room-expired', { room: record.name, day: day ?? '' })
}

/** @throws {Refusal} 'room-unknown' */
function systemOf(region: Region, room: string): DatabaseSync {
  return region.handles.open(region.folders.systemDatabase(findRoom(region, room).name))
}
