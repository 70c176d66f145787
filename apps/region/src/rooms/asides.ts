/**
 * What lies beside the rooms, and how it goes. A draft (new) and the remains of a room (old) are worth nothing. A swap
 * holds the old content of a room until it is renamed to remains: as long as it has its name, recovery may put that
 * content back, so it must have lost it before the room's place becomes empty for another reason.
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
  swapsLeft: Map<string, string>,
): Promise<void> {
  try {
    const remains = folders.aside('old', room)
    await rename(swap, remains)
    await discard(remains)
  } catch (error) {
    swapsLeft.set(swap, room)
    reportTrouble(`What a restore of ${room} left stays behind`, error)
  }
}

/** In the room's turn, before its place becomes empty. @throws when an earlier swap cannot be given up */
export async function giveUpSwaps(region: Region, room: string): Promise<void> {
  for (const [swap, of] of region.swapsLeft) {
    if (of !== room) continue
    const remains = region.folders.aside('old', room)
    await rename(swap, remains)
    region.swapsLeft.delete(swap)
    await discard(remains)
  }
}
