/**
 * Folders beside the rooms, and how they are removed. A half-made room (new) and the remains of a room (old) are worth
 * nothing. A swap holds the old content of a room until it is renamed to remains. As long as it is called a swap,
 * recovery may put that content back; so it has to be renamed before the room is deleted for another reason.
 */
import { discard } from '#disk/discard.ts'
import { rename } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import type { RoomFolders } from './room-folders.ts'

/** When a restore is over, whether it took effect or not. */
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

/** Under the room's mutex, before the room is deleted. @throws when an earlier swap cannot be renamed */
export async function abandonSwaps(region: Region, room: string): Promise<void> {
  for (const [swap, of] of region.remainingSwaps) {
    if (of !== room) continue
    const remains = region.folders.sideFolder('old', room)
    await rename(swap, remains)
    region.remainingSwaps.delete(swap)
    await discard(remains)
  }
}
