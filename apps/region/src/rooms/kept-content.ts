/**
 * What rooms held before the job replaceRoom, until putBackRoom needs it: `.kept-<name>-…` with `old`, the room's former
 * folder, and `kept.json`. Such a folder begins as the swap of the job (swap-room.ts). It shares no file with the room:
 * SQLite writes into files, and would change what is kept.
 */

import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { discard } from '#disk/discard.ts'
import { readdir, rename } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { type KeptContent, readKept } from './kept-record.ts'
import { sideFolderOf } from './room-folders.ts'

const keptHours = 48
type Room = Pick<KeptContent, 'room' | 'roomId'>

/** @returns the folder with this content of the room, in which it is called `old`; undefined: there is none */
export function findKept({ kept }: Region, wanted: Pick<KeptContent, 'id' | 'roomId'>): string | undefined {
  for (const [folder, { id, roomId }] of kept) if (id === wanted.id && isSame(roomId, wanted.roomId)) return folder
  return undefined
}

/**
 * Recalls what could not be read when the region started. Called under the room's mutex, before the caller relies on
 * what is kept of the room.
 * @throws when it cannot be read now either
 */
export async function recallUnread({ folders, kept }: Region, room: string): Promise<void> {
  for (const entry of await readdir(folders.root)) {
    const sideFolder = sideFolderOf(entry)
    const path = join(folders.root, entry)
    if (sideFolder?.kind !== 'kept' || sideFolder.name !== room || kept.has(path)) continue
    const content = await readKept(path)
    if (content !== null) kept.set(path, content)
  }
}

/** Removes what a room held that was deleted. */
export async function removeKeptOfDeleted(region: Region, { room, roomId }: Room): Promise<void> {
  for (const [folder, kept] of [...region.kept])
    if (kept.room === room && isSame(kept.roomId, roomId) && !isOfRoom(region, kept))
      await removeKept(region, folder, kept)
}

/** Everything that is kept of this room, under any name. */
export async function allKept(region: Region, { room, roomId }: Room): Promise<[string, KeptContent][]> {
  await region.roomMutex.runExclusive(room, () => recallUnread(region, room))
  return [...region.kept].filter(([, kept]) => isSame(kept.roomId, roomId))
}

/**
 * Moves all of it out of reach.
 * @returns where it lies now, to be removed
 */
export async function moveKeptAway(region: Region, room: Room): Promise<string[]> {
  const moved: string[] = []
  for (const [folder, kept] of await allKept(region, room)) {
    await region.roomMutex.runExclusive(kept.room, async () => {
      if (!region.kept.has(folder)) return
      const remains = region.folders.sideFolder('old', kept.room)
      await rename(folder, remains)
      region.kept.delete(folder)
      moved.push(remains)
    })
  }
  return moved
}

/**
 * Whether a job has deleted or purged this room since. A room whose folder is missing without a deletion may come back.
 * @param database region.db
 */
export function wasDeletedSince(database: DatabaseSync, { room, roomId, keptAt }: KeptContent): boolean {
  const deletion = database
    .prepare(
      `SELECT 1 FROM jobs WHERE createdAt >= ? AND state <> 'failed' AND lower(json_extract(input, '$.roomId')) = lower(?)
       AND (type = 'deleteRoom' AND room = ? OR type = 'purgeRoom' AND json_extract(input, '$.look') IS NOT 1)`,
    )
    .get(keptAt, roomId, room)
  return deletion !== undefined
}

/** Removes what is kept for longer than 48 hours, and what rooms held that were deleted. */
export async function removeOldKept(region: Region, now = Date.now()): Promise<void> {
  const oldest = now - keptHours * 3_600_000
  for (const [folder, kept] of [...region.kept]) {
    // Under the room's mutex, because a job may be putting it back.
    await region.roomMutex.runExclusive(kept.room, async () => {
      const isDeleted = !isOfRoom(region, kept) && wasDeletedSince(region.database, kept)
      const isNeeded = !isDeleted && Date.parse(kept.keptAt) >= oldest
      if (!isNeeded && region.kept.has(folder)) await removeKept(region, folder, kept)
    })
  }
}

/** A damaged room may be in order again some day. */
function isOfRoom(region: Region, { room, roomId }: Room): boolean {
  const record = region.index.get(room)
  if (record === undefined) return region.damaged.has(room)
  return isSame(record.roomId, roomId)
}

function isSame(roomId: string, other: string): boolean {
  return roomId.toLowerCase() === other.toLowerCase()
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
