/** Deletes a customer user from all rooms of the region. */
import type { Fence } from '#fences.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { refuseDamaged } from '#rooms/find-room.ts'
import { lockInForce } from '#rooms/room-record.ts'
import { forgetUser, roomsOfUser } from '#rooms/user-index.ts'
import { findUser } from '#rooms/users.ts'
import { committing } from '#sqlite/database-handles.ts'

/** @returns whether the user is gone; false while their room is locked. @throws {Refusal} 'owner-kept' */
export async function deleteUser(region: Region, id: string, fence: Fence | undefined): Promise<boolean> {
  region.fences.admit(fence)
  let gone = true
  for (const room of roomsOfUser(region, id)) {
    const removed = await runExclusively(region, room, fence, async () => removeFrom(region, room, id))
    gone &&= removed
  }
  return gone
}

function removeFrom(region: Region, room: string, id: string): boolean {
  refuseDamaged(region, room)
  const record = region.index.get(room)
  if (record !== undefined) {
    const system = region.handles.open(region.folders.systemDatabase(room))
    const user = findUser(system, id)
    if (user !== undefined && lockInForce(record) !== null) return false
    if (user?.role === 'owner') throw refuse('owner-kept', { room })
    committing(system, () => system.prepare('DELETE FROM users WHERE id = ?').run(id))
  }
  forgetUser(region, room, id)
  return true
}
