/** Deletes a room: renames its folder, at which moment the room is gone, and then removes the files. */

import { discard } from '#disk/discard.ts'
import { moveDurably } from '#disk/durable.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { forgetRoute } from '#routes/room-routes.ts'
import { ownUnlockedRoom, refuseDamaged } from './find-room.ts'
import { removeKeptOfDeleted } from './kept-content.ts'
import { abandonSwaps } from './swaps.ts'
import { forgetUsersOf } from './user-index.ts'

export const deleteRoom: JobKind<'deleteRoom'> = {
  check: (region, input) => {
    refuseDamaged(region, input.room)
    if (region.index.get(input.room) !== undefined) ownUnlockedRoom(region, input)
  },
  deletes: true,
  run: async ({ region, input, signal, log }) => {
    const { room, keepRoute } = input
    const moved = { remains: null as string | null }
    try {
      await runExclusively(region, room, undefined, async () => {
        signal.throwIfAborted()
        refuseDamaged(region, room)
        if (region.index.get(room) !== undefined) {
          ownUnlockedRoom(region, input)
          moved.remains = await moveAway(region, room)
        }
        if (!keepRoute) endRoute(region, room)
      })
    } finally {
      if (moved.remains !== null) await discard(moved.remains)
      await removeKeptOfDeleted(region, input)
    }
    log(moved.remains === null ? `There was no project room ${room}.` : `The project room ${room} is removed.`)
    return { existed: moved.remains !== null }
  },
}

/** Refuses as 'unfinished', because the room is gone: a failed job would tell the caller that it still exists. */
function endRoute(region: Region, room: string): void {
  try {
    region.reserve.forDeletionSync(() => forgetRoute(region, room))
  } catch (error) {
    reportTrouble(`Visitors of ${room} are still redirected`, error)
    throw refuse('unfinished', { what: `The project room ${room} is gone, but its visitors are still redirected` })
  }
}

/** Called under the room's mutex. @returns the new path of its files */
export async function moveAway(region: Region, room: string): Promise<string> {
  const away = region.folders.sideFolder('old', room)
  await abandonSwaps(region, room)
  region.handles.close(region.folders.room(room))
  await moveDurably(region.folders.room(room), away)
  region.index.remove(room)
  // The room's damage is gone with it.
  region.damaged.delete(room)
  try {
    region.reserve.forDeletionSync(() => forgetUsersOf(region, room))
  } catch (error) {
    // The room is gone all the same. A stale entry in the index of users does no harm.
    reportTrouble(`The users of ${room} are still listed`, error)
  }
  return away
}
