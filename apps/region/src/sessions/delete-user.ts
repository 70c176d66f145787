/** Deletes a customer user from all rooms of the region. */
import type { DatabaseSync } from 'node:sqlite'
import type { UserRemoval } from '@roomkeeper/region-protocol'
import type { Fence } from '#fences.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { refuseDamaged } from '#rooms/find-room.ts'
import { lockInForce } from '#rooms/room-record.ts'
import { readSettings, writeSettings } from '#rooms/room-settings.ts'
import { forgetUser, roomsOfUser } from '#rooms/user-index.ts'
import { findUser } from '#rooms/users.ts'
import { inTransaction } from '#sqlite/database-handles.ts'

type RoomOfUser = NonNullable<UserRemoval['rooms']>[number]

/** While one of the rooms is locked, the user is not gone. @throws {Refusal} 'owner-kept', before anything is changed */
export async function deleteUser(region: Region, id: string, fence: Fence | undefined): Promise<UserRemoval> {
  region.fences.admit(fence)
  const indexed = roomsOfUser(region, id)
  for (const room of indexed)
    await runExclusively(region, room, fence, async () => refuseOwner(openRoom(region, room), room, id))
  const rooms: RoomOfUser[] = []
  const withoutDelegate: string[] = []
  for (const room of indexed) {
    const outcome = await runExclusively(region, room, fence, async () => removeFrom(region, room, id))
    if (outcome === 'without delegate') withoutDelegate.push(room)
    else if (outcome !== null) rooms.push(outcome)
  }
  return { gone: rooms.every(({ gone }) => gone), rooms, withoutDelegate }
}

/** The room's system database; undefined if the region does not have the room. */
function openRoom(region: Region, room: string): DatabaseSync | undefined {
  refuseDamaged(region, room)
  return region.index.get(room) && region.handles.open(region.folders.systemDatabase(room))
}

function refuseOwner(system: DatabaseSync | undefined, room: string, id: string): void {
  if (system !== undefined && findUser(system, id)?.role === 'owner') throw refuse('owner-kept', { room })
}

/** @returns null if the room does not have the user */
function removeFrom(region: Region, room: string, id: string): RoomOfUser | 'without delegate' | null {
  const record = region.index.get(room)
  const system = openRoom(region, room)
  const user = system && findUser(system, id)
  if (record === undefined || system === undefined || user === undefined) {
    if (system !== undefined && readSettings(system).contacts.delegateEmail === null) return 'without delegate'
    forgetUser(region, room, id)
    return null
  }
  const wasDelegate = user.role === 'delegate'
  if (lockInForce(record) !== null) return { name: room, wasDelegate, gone: false }
  refuseOwner(system, room, id)
  inTransaction(system, () => {
    system.prepare('DELETE FROM users WHERE id = ?').run(id)
    // The next change of the room would appoint the delegate of the contacts again.
    if (wasDelegate) writeSettings(system, { contacts: { ...readSettings(system).contacts, delegateEmail: null } })
  })
  // The entry of a delegate stays: when the call is repeated, it says which room has no delegate.
  if (!wasDelegate) forgetUser(region, room, id)
  return { name: room, wasDelegate, gone: true }
}
