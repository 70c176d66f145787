/**
 * What rooms held before the job replaceRoom, until putBackRoom needs it: `.kept-<name>-…` with `old`, the room's former
 * folder, and `kept.json`. Such a folder begins as the swap of the job (swap-room.ts). It shares no file with the room:
 * SQLite writes into files, and would change what is kept.
 */
import { discard } from '#disk/discard.ts'
import { rename } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import type { KeptContent } from './kept-record.ts'

const keptHours = 48

/** @returns the folder with this content of the room, in which it is called `old`; undefined: there is none */
export function findKept({ kept }: Region, wanted: Pick<KeptContent, 'id' | 'roomId'>): string | undefined {
  for (const [folder, { id, roomId }] of kept)
    if (id === wanted.id && roomId.toLowerCase() === wanted.roomId.toLowerCase()) return folder
  return undefined
}

/** Removes what a room held that is not on this region any more. */
export async function removeKeptOfMissing(region: Region, room: string): Promise<void> {
  for (const [folder, kept] of [...region.kept])
    if (kept.room === room && !isOfRoom(region, kept)) await removeKept(region, folder, kept)
}

/** Removes what is kept for longer than 48 hours, and what rooms held that are gone. */
export async function removeOldKept(region: Region, now = Date.now()): Promise<void> {
  const oldest = now - keptHours * 3_600_000
  for (const [folder, kept] of [...region.kept]) {
    // Under the room's mutex, because a job may be putting it back.
    await region.roomMutex.runExclusive(kept.room, async () => {
      const isNeeded = isOfRoom(region, kept) && Date.parse(kept.keptAt) >= oldest
      if (!isNeeded && region.kept.has(folder)) await removeKept(region, folder, kept)
    })
  }
}

/** A damaged room may be in order again some day. */
function isOfRoom(region: Region, { room, roomId }: KeptContent): boolean {
  const record = region.index.get(room)
  if (record === undefined) return region.damaged.has(room)
  return record.roomId.toLowerCase() === roomId.toLowerCase()
}

/** Renames it first, so that a part of it never counts as kept. If that fails, housekeeping tries again. */
async function removeKept(region: Region, folder: string, { room }: KeptContent): Promise<void> {
  const remains = region.folders.sideFolder('old', room)
  try {
    await rename(folder, remains)
  } catch (error) {
    return reportTrouble(`What ${room} held before stays behind`, error)
  }
  region.kept.delete(folder)
  await discard(remains)
}
