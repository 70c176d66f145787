/**
 * Settles swaps: the side folders in which a restore keeps the old content of a room. As long as a folder has the name
 * of a swap, recovery may put that content back. So when the restore is over, at the latest before the room is deleted
 * or restored again, it is renamed: to the name of what is kept if it is to be kept (kept-content.ts), otherwise to that
 * of a removed room (old).
 */
import { join } from 'node:path'
import { discard } from '#disk/discard.ts'
import { moveDurably } from '#disk/durable.ts'
import { exists, rename } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { readKept } from './kept-record.ts'
import { readRoom, textOf } from './read-room.ts'
import type { RoomFolders } from './room-folders.ts'

type Swaps = Pick<Region, 'folders' | 'remainingSwaps' | 'kept'>

/** Called when a restore is over, whether or not it took effect. */
export async function clearSwap(
  folders: RoomFolders,
  room: string,
  swap: string,
  remainingSwaps: Map<string, string>,
): Promise<void> {
  try {
    const remains = folders.sideFolder('old', room)
    await rename(swap, remains)
    await discard(remains)
  } catch (error) {
    remainingSwaps.set(swap, room)
    reportTrouble(`What a restore of ${room} left stays behind`, error)
  }
}

/**
 * Called under the room's mutex, before its folder is moved away. What is to be kept is kept.
 * @throws when an earlier swap cannot be read or renamed
 */
export async function abandonSwaps(region: Region, room: string): Promise<void> {
  for (const [swap, of] of [...region.remainingSwaps]) {
    if (of !== room || (await keepSwap(region, room, swap))) continue
    const remains = region.folders.sideFolder('old', room)
    await rename(swap, remains)
    region.remainingSwaps.delete(swap)
    await discard(remains)
  }
}

/**
 * Undoes or completes a restore that was cut off. The old content is removed only once the room is known to be whole.
 * @throws an error that says what is wrong; the swap is then in `remainingSwaps`
 */
export async function settleSwap(region: Swaps, name: string, swap: string): Promise<void> {
  const { folders, remainingSwaps } = region
  remainingSwaps.set(swap, name)
  try {
    await putBack(folders, name, swap)
    if (await keepSwap(region, name, swap)) return
  } catch (error) {
    throw new Error(`what a restore left cannot be put back (${textOf(error)})`)
  }
  remainingSwaps.delete(swap)
  await clearSwap(folders, name, swap, remainingSwaps)
}

/** @returns whether the swap was to be kept, and is */
async function keepSwap({ folders, remainingSwaps, kept }: Swaps, name: string, swap: string): Promise<boolean> {
  const content = await readKept(swap)
  if (content === null) return false
  const folder = folders.sideFolder('kept', name)
  await moveDurably(swap, folder)
  kept.set(folder, content)
  remainingSwaps.delete(swap)
  return true
}

/** Renames the old content back if the room is missing; otherwise checks that the room can be read. */
async function putBack(folders: RoomFolders, name: string, swap: string): Promise<void> {
  const folder = folders.room(name)
  const old = join(swap, 'old')
  const hasOld = await exists(old)
  if (!(await exists(folder))) {
    if (hasOld) await moveDurably(old, folder)
    else if (await exists(join(swap, 'new'))) throw new Error('it holds no former content')
  } else if (hasOld) await readRoom(folders, name)
}
