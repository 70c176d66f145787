/** Finds a room for a call, or refuses the call. */

import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { lockInForce, type RoomRecord } from './room-record.ts'

/** @throws {Refusal} 'room-unknown', 'room-damaged' */
export function findRoom(region: Region, room: string): RoomRecord {
  refuseDamaged(region, room)
  const record = region.index.get(room)
  if (record === undefined) throw refuse('room-unknown', { room })
  return record
}

/**
 * A damaged room must not be refused as unknown: the caller would go on as if it were deleted.
 * @throws {Refusal} 'room-damaged'
 */
export function refuseDamaged(region: Region, room: string): void {
  const reason = region.index.get(room) === undefined ? region.damaged.get(room) : undefined
  if (reason !== undefined) throw refuse('room-damaged', { room, reason })
}

/** Finds the room that the caller means, never another of the same name. @throws {Refusal} also 'room-differs' */
export function findOwnRoom(region: Region, room: string, roomId: string | undefined): RoomRecord {
  const record = findRoom(region, room)
  if (roomId !== undefined && record.roomId !== roomId.toLowerCase()) throw refuse('room-differs', { room })
  return record
}

/** Finds a room that the caller may change. @throws {Refusal} also 'room-locked' when another than `holder` holds it */
export function ownUnlockedRoom(
  region: Region,
  { room, roomId, holder }: { room: string; roomId: string; holder?: string | undefined },
): RoomRecord {
  const record = findOwnRoom(region, room, roomId)
  refuseWhenLocked(record, holder)
  return record
}

/** @throws {Refusal} 'room-locked' when another than `holder` holds the room's lock */
export function refuseWhenLocked(record: RoomRecord, holder?: string): void {
  const lock = lockInForce(record)
  if (lock !== null && lock.holder !== holder) throw refuse('room-locked', { room: record.name })
}
