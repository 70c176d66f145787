/** Changes an existing room: settings, suspension, lock. Each change is on disk before its call is answered. */
import type { RoomChange, RoomInfo, RoomState } from '@roomkeeper/region-protocol'
import type { Fence } from '#fences.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { findOwnRoom } from './find-room.ts'
import { describeRoom } from './room-info.ts'
import { lockInForce, newLock, type RoomRecord, writeRoomRecord } from './room-record.ts'
import { readSettings, writeSettings } from './room-settings.ts'
import { rememberUsers } from './user-index.ts'
import { listUsers, writeContacts } from './users.ts'

export function changeRoom(region: Region, name: string, change: RoomChange, fence?: Fence): Promise<RoomInfo> {
  return runExclusively(region, name, fence, async () => {
    const record = findOwnRoom(region, name, change.roomId)
    const { roomId: _, ...settings } = change
    const system = region.handles.open(region.folders.systemDatabase(name))
    inTransaction(system, () => {
      writeSettings(system, withoutUndefined(settings))
      writeContacts(system, readSettings(system).contacts)
      rememberUsers(region, name, listUsers(system))
    })
    return describeRoom(region, record)
  })
}

/** Idempotent. */
export function setRoomState(
  region: Region,
  name: string,
  own: { roomId: string; state: RoomState },
  fence?: Fence,
): Promise<RoomInfo> {
  return runExclusively(region, name, fence, async () => {
    const record = findOwnRoom(region, name, own.roomId)
    if (record.state === own.state) return describeRoom(region, record)
    return replaceRecord(region, { ...record, state: own.state })
  })
}

/** It is no content of the room: it stays when the content is replaced, and is in no backup and no digest. */
export function keepConsoleRecord(
  region: Region,
  name: string,
  kept: { roomId: string; record: string },
  fence?: Fence,
): Promise<void> {
  return runExclusively(region, name, fence, async () => {
    const record = findOwnRoom(region, name, kept.roomId)
    if (record.consoleRecord !== kept.record) await replaceRecord(region, { ...record, consoleRecord: kept.record })
  })
}

/** Takes the lock or renews it. @throws {Refusal} 'locked-by-another' */
export function lockRoom(
  region: Region,
  name: string,
  own: { roomId: string; holder: string },
  fence?: Fence,
): Promise<RoomInfo> {
  return runExclusively(region, name, fence, async () => {
    const record = findOwnRoom(region, name, own.roomId)
    const held = lockInForce(record)
    if (held !== null && held.holder !== own.holder) throw refuse('locked-by-another', { room: name })
    const lock = newLock(own.holder)
    return replaceRecord(region, { ...record, lock: held === null ? lock : { ...lock, heldSince: held.heldSince } })
  })
}

/** Idempotent. @throws {Refusal} 'locked-by-another' */
export function unlockRoom(
  region: Region,
  name: string,
  own: { roomId: string; holder: string },
  fence?: Fence,
): Promise<RoomInfo> {
  return runExclusively(region, name, fence, async () => {
    const record = findOwnRoom(region, name, own.roomId)
    const held = lockInForce(record)
    if (held === null) return describeRoom(region, record)
    if (held.holder !== own.holder) throw refuse('locked-by-another', { room: name })
    return replaceRecord(region, { ...record, lock: null })
  })
}

async function replaceRecord(region: Region, record: RoomRecord): Promise<RoomInfo> {
  await writeRoomRecord(region.folders.room(record.name), record)
  region.index.put(record)
  return describeRoom(region, record)
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }
function withoutUndefined<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Present<T>
}
