/**
 * Cleans up the rooms folder after a crash and reads all records.
 *
 * Rooms that were being created (.new-…) or removed (.old-…) are removed. A restore that was replacing a room
 * (.swap-<name>-…) is undone if the room's folder is missing, and is complete if the folder exists; then the content
 * that it was to keep is kept. What is kept (.kept-<name>-…) of a deleted room is removed; a room whose folder is only
 * missing may come back, as when an operator has moved the folder away, so what is kept of it stays for its time. A
 * room that cannot be cleaned up or read stays as it is and is reported as damaged; the other rooms work. Unknown files
 * are left alone. If the process dies here, the next start can continue from what it finds.
 */
import { join } from 'node:path'
import { roomName } from '@roomkeeper/region-protocol'
import pLimit from 'p-limit'
import { discard } from '#disk/discard.ts'
import { syncToDisk } from '#disk/durable.ts'
import { mkdir, readdir } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import { type KeptContent, readKept } from './kept-record.ts'
import { readRoom, removeDraftIn, textOf } from './read-room.ts'
import { type RoomFolders, sideFolderOf } from './room-folders.ts'
import type { RoomRecord } from './room-record.ts'
import { settleSwap } from './swaps.ts'

export interface RecoveredRooms {
  records: RoomRecord[]
  /** Damaged rooms by name, with the reason. */
  damaged: Map<string, string>
  /** The paths of swaps that could not be cleared, with the names of their rooms: see swaps.ts. */
  remainingSwaps: Map<string, string>
}

/**
 * @param kept is filled with what rooms held before, by folder: see kept-content.ts
 * @param wasDeleted whether the room was deleted after this was kept
 */
export async function recoverRooms(
  folders: RoomFolders,
  kept = new Map<string, KeptContent>(),
  wasDeleted: (content: KeptContent) => boolean = () => false,
): Promise<RecoveredRooms> {
  await mkdir(folders.root, { recursive: true })
  const damaged = new Map<string, string>()
  const remainingSwaps = new Map<string, string>()
  for (const entry of await readdir(folders.root)) {
    const sideFolder = sideFolderOf(entry)
    if (sideFolder === null) continue
    const path = join(folders.root, entry)
    if (sideFolder.kind === 'kept') await recallKept(path, kept)
    else if (sideFolder.kind !== 'swap') await discard(path)
    else
      await settleSwap({ folders, remainingSwaps, kept }, sideFolder.name, path).catch((error: unknown) =>
        damaged.set(sideFolder.name, textOf(error)),
      )
  }
  await syncToDisk(folders.root)
  const records = await readRecords(folders, damaged)
  for (const [room, reason] of damaged) reportTrouble(`The project room ${room} is set aside: ${reason}`)
  const ids = new Map(records.map(({ name, roomId }) => [name, roomId]))
  for (const [path, content] of kept) {
    const { room, roomId } = content
    const isThere = damaged.has(room) || ids.get(room)?.toLowerCase() === roomId.toLowerCase()
    if (isThere || !wasDeleted(content)) continue
    kept.delete(path)
    await discard(path)
  }
  return { records, damaged, remainingSwaps }
}

/** What a room held before is kept as long as it is whole. */
async function recallKept(path: string, kept: Map<string, KeptContent>): Promise<void> {
  try {
    const content = await readKept(path)
    if (content === null) return await discard(path)
    kept.set(path, content)
    await removeDraftIn(join(path, 'old'))
  } catch (error) {
    reportTrouble('What a room held before cannot be read', error)
  }
}

const roomsAtOnce = 64

async function readRecords(folders: RoomFolders, damaged: Map<string, string>): Promise<RoomRecord[]> {
  const records: RoomRecord[] = []
  const names: string[] = []
  for (const name of await readdir(folders.root)) {
    if (roomName.safeParse(name).success) names.push(name)
    else if (sideFolderOf(name) === null) reportTrouble(`rooms/${name} is not of the region, and is left alone`)
  }
  const readOne = async (name: string) => {
    try {
      records.push(await readRoom(folders, name))
    } catch (error) {
      damaged.set(name, textOf(error))
    }
  }
  await pLimit(roomsAtOnce).map(names, readOne)
  return records
}
