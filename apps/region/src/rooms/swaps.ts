/**
 * Removes swaps: the side folders in which a restore keeps the old content of a room. As long as a folder has the name
 * of a swap, recovery may put that content back. So it is renamed to the name of a removed room (old) when the restore
 * is over, at the latest before the room is deleted or restored again.
 */
import { discard } from '#disk/discard.ts'
import { rename } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import type { RoomFolders } from './room-folders.ts'

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

/** Called under the room's mutex, before its folder is moved away. @throws when an earlier swap cannot be renamed */
export async function abandonSwaps(region: Region, room: string): Promise<void> {
  for (const [swap, of] of region.remainingSwaps) {
    if (of !== room) continue
    const remains = region.folders.sideFolder('old', room)
    await rename(swap, remains)
    region.remainingSwaps.delete(swap)
    await discard(remains)
  }
}
