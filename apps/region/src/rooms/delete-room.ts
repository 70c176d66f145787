/** Deletes a room: renamed away first, at which moment it is gone; then its files are removed. */

import { discard } from '#disk/discard.ts'
import { moveDurably } from '#disk/durable.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { forgetRoute } from '#routes/room-routes.ts'
import { ownUnlockedRoom, refuseDamaged } from './find-room.ts'
import { abandonSwaps } from './swaps.ts'
import { forgetUsersOf } from './user-index.ts'

export const deleteRoom: JobKind<'deleteRoom'> = {
  check: (region, input) => {
    refuseDamaged(region, input.room)
    if (region.index.get(input.room) !== undefined) ownUnlockedRoom(region, input)
  },
  deletes: true,
  run: async ({ region, input, signal, log: say }) => {
    const { room, keepRoute } = input
    const gone = { remains: null as string | null }
    try {
      await runExclusively(region, room, undefined, async () => {
        signal.throwIfAborted()
        refuseDamaged(region, room)
        if (region.index.get(room) !== undefined) {
          ownUnlockedRoom(region, input)
          gone.remains = await moveAway(region, room)
        }
        if (!keepRoute) endRoute(region, room)
      })
    } finally {
      if (gone.remains !== null) await discard(gone.remains)
    }
    say(gone.remains === null ? `There was no project room ${room}.` : `The project room ${room} is removed.`)
    return { existed: gone.remains !== null }
  },
}

/** The room is gone by then: a caller that sees a failed job would believe that it still exists. */
function endRoute(region: Region, room: string): void {
  try {
    region.reserve.forDeletionSync(() => forgetRoute(region, room))
  } catch (error) {
    reportTrouble(`Visitors of ${room} are still redirected`, error)
    throw refuse('unfinished', { what: `The project room ${room} is gone, but its visitors are still redirected` })
  }
}

/** @returns where its files are now. */
async function moveAway(region: Region, room: string): Promise<string> {
  const away = region.folders.sideFolder('old', room)
  await abandonSwaps(region, room)
  region.handles.close(region.folders.room(room))
  await moveDurably(region.folders.room(room), away)
  region.index.remove(room)
  // The damage is gone with the room.
  region.damaged.delete(room)
  try {
    region.reserve.forDeletionSync(() => forgetUsersOf(region, room))
  } catch (error) {
    // The room is gone all the same; the index only names it for its users a while longer.
    reportTrouble(`The users of ${room} are still listed`, error)
  }
  return away
}
