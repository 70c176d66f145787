/** room.json: a room's identity, state and lock. Its content (users, licences, settings, databases) is in SQLite. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  callerId,
  consoleRecordKeeping,
  lockSeconds,
  type RoomLock,
  roomCreation,
  roomId,
  roomLock,
  roomName,
  roomState,
} from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { replaceFile } from '#disk/durable.ts'
import { open, readText } from '#disk/files.ts'

const roomRecord = z.object({
  format: z.literal(1),
  name: roomName,
  roomId,
  product: roomCreation.shape.product,
  edition: roomCreation.shape.edition,
  createdAt: z.iso.datetime(),
  /** SHA-256 of the body that created the room, to recognise a repeated creation. */
  creation: z.string(),
  state: roomState,
  /** The lock may have ended: use `lockInForce`. */
  lock: roomLock.nullable(),
  /** Under which id the content was kept that was put back last: see put-back-room.ts. */
  putBack: callerId.optional(),
  /** What the console keeps with the room. */
  consoleRecord: consoleRecordKeeping.shape.record.optional(),
})
export type RoomRecord = z.output<typeof roomRecord>

export function recordFile(folder: string): string {
  return join(folder, 'room.json')
}

export async function readRoomRecord(folder: string): Promise<RoomRecord> {
  return roomRecord.parse(JSON.parse(await readText(recordFile(folder))))
}

export async function writeRoomRecord(folder: string, record: RoomRecord): Promise<void> {
  await replaceFile(recordFile(folder), textOf(record))
}

/** Into the folder of a room that is being built. The caller brings it to disk, with everything else in the folder. */
export async function writeNewRoomRecord(folder: string, record: RoomRecord): Promise<void> {
  const file = await open(recordFile(folder), 'wx')
  try {
    await file.write(textOf(record))
  } finally {
    await file.close()
  }
}

function textOf(record: RoomRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`
}

/**
 * The lock, unless it has ended because it was not renewed in time. A lock with more time left than any lock gets was
 * taken before the clock was set back, and would keep the room locked until that time; twice `lockSeconds` allows for
 * small corrections of the clock.
 */
export function lockInForce({ lock }: RoomRecord): RoomLock | null {
  const secondsLeft = lock === null ? 0 : (Date.parse(lock.expiresAt) - Date.now()) / 1000
  return secondsLeft > 0 && secondsLeft <= 2 * lockSeconds ? lock : null
}

/** A lock that begins now. */
export function newLock(holder: string, now = Date.now()): RoomLock {
  const heldSince = new Date(now).toISOString()
  return { holder, heldSince, expiresAt: new Date(now + lockSeconds * 1000).toISOString() }
}

/** Equal bodies have equal fingerprints, regardless of the order of their fields. */
export function creationFingerprint(creation: z.output<typeof roomCreation>): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(creation)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
