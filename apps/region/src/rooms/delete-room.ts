/** Deletes a room: renamed away first, which is the moment it is gone; then its files go. */

import { moveDurably, removeTree } from '#disk/durable.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { inTurn, type Region } from '#region.ts'
import { forgetRoute } from '#routes/room-routes.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { forgetUsersOf } from './user-index.ts'

export const deleteRoom: JobKind<'deleteRoom'> = {
  check: (region, input) => {
    if (region.index.get(input.room) !== undefined) ownUnlockedRoom(region, input)
  },
  run: async ({ region, input, signal, say }) => {
    const { room, keepRoute } = input
    const remains = await inTurn(region, room, undefined, async () => {
      signal.throwIfAborted()
      const existed = region.index.get(room) !== undefined
      if (existed) ownUnlockedRoom(region, input)
      const moved = existed ? await moveAway(region, room) : null
      if (!keepRoute) forgetRoute(region, room)
      return moved
    })
    if (remains === null) say(`There was no project room ${room}.`)
    else {
      say(`The project room ${room} is removed.`)
      await removeTree(remains)
    }
    return { existed: remains !== null }
  },
}

/** @returns where its files are now. */
async function moveAway(region: Region, room: string): Promise<string> {
  const away = region.folders.aside('old', room)
  region.handles.close(region.folders.room(room))
  await moveDurably(region.folders.room(room), away)
  region.index.remove(room)
  forgetUsersOf(region, room)
  return away
}
