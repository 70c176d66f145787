/** Deletes a customer user from all rooms of the region. */
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

/** While the room is locked, the user is not gone. @throws {Refusal} 'owner-kept' */
export async function deleteUser(region: Region, id: string, fence: Fence | undefined): Promise<UserRemoval> {
  region.fences.admit(fence)
  const removals: UserRemoval[] = []
  for (const room of roomsOfUser(region, id))
    removals.push(await runExclusively(region, room, fence, async () => removeFrom(region, room, id)))
  return { gone: removals.every(({ gone }) => gone), rooms: removals.flatMap(({ rooms = [] }) => rooms) }
}

function removeFrom(region: Region, room: string, id: string): UserRemoval {
  refuseDamaged(region, room)
  const record = region.index.get(room)
  const system = record && region.handles.open(region.folders.systemDatabase(room))
  const user = system && findUser(system, id)
  if (record === undefined || system === undefined || user === undefined) {
    forgetUser(region, room, id)
    return { gone: true, rooms: [] }
  }
  const wasDelegate = user.role === 'delegate'
  const rooms = [{ name: room, wasDelegate }]
  if (lockInForce(record) !== null) return { gone: false, rooms }
  if (user.role === 'owner') throw refuse('owner-kept', { room })
  inTransaction(system, () => {
    system.prepare('DELETE FROM users WHERE id = ?').run(id)
    // The next change of the room would appoint the delegate of the contacts again.
    if (wasDelegate) writeSettings(system, { contacts: { ...readSettings(system).contacts, delegateEmail: null } })
  })
  forgetUser(region, room, id)
  return { gone: true, rooms }
}
