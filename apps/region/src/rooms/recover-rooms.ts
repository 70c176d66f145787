/**
 * Cleans up the rooms folder after a crash and reads all records.
 *
 * Rooms that were being created (.new-…) or removed (.old-…) are removed. A restore that was replacing a room
 * (.swap-<name>-…) is undone if the room's folder is missing, and is complete if the folder exists; what it was to keep is
 * kept then. What is kept (.kept-<name>-…) of a room that is gone is removed. A room that cannot
 * be cleaned up or read stays as it is and is reported as damaged; the other rooms work. Unknown files are left alone.
 * If the process dies here, the next start can continue from whatever it finds.
 */
import { join } from 'node:path'
import { roomName } from '@roomkeeper/region-protocol'
import pLimit from 'p-limit'
import { discard } from '#disk/discard.ts'
import { moveDurably, syncToDisk, temporaryPathOf } from '#disk/durable.ts'
import { isAbsent, mkdir, readdir, stat, unlink } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { type KeptContent, readKept } from './kept-record.ts'
import { type RoomFolders, sideFolderOf } from './room-folders.ts'
import { type RoomRecord, readRoomRecord, recordFile } from './room-record.ts'
import { clearSwap } from './swaps.ts'

export interface RecoveredRooms {
  records: RoomRecord[]
  /** Damaged rooms by name, with the reason. */
  damaged: Map<string, string>
  /** The paths of swaps that could not be cleared, with the names of their rooms: see swaps.ts. */
  remainingSwaps: Map<string, string>
}

/** @param kept is filled with what rooms held before, by folder: see kept-content.ts */
export async function recoverRooms(
  folders: RoomFolders,
  kept = new Map<string, KeptContent>(),
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
  for (const [path, { room, roomId }] of kept) {
    if (damaged.has(room) || ids.get(room)?.toLowerCase() === roomId.toLowerCase()) continue
    kept.delete(path)
    await discard(path)
  }
  return { records, damaged, remainingSwaps }
}

/** @throws an error that says what is wrong with the room */
export async function readRoom(folders: RoomFolders, name: string): Promise<RoomRecord> {
  const folder = folders.room(name)
  const record = await readRoomRecord(folder).catch((error: unknown) => {
    throw new Error(`its room.json cannot be read (${textOf(error)})`)
  })
  if (record.name !== name) throw new Error(`its folder holds the room ${record.name}`)
  await removeDraftIn(folder)
  return record
}

/** What a death while the room's record was replaced may have left. */
async function removeDraftIn(folder: string): Promise<void> {
  await unlink(temporaryPathOf(recordFile(folder))).catch((error: unknown) =>
    reportTrouble('A temporary file stays behind', error),
  )
}

/**
 * Undoes or completes a restore that was cut off. The old content is removed only once the room is known to be whole.
 * @throws an error that says what is wrong; the swap is then in `remainingSwaps`
 */
export async function settleSwap(
  { folders, remainingSwaps, kept }: Pick<Region, 'folders' | 'remainingSwaps' | 'kept'>,
  name: string,
  swap: string,
): Promise<void> {
  remainingSwaps.set(swap, name)
  try {
    await putBack(folders, name, swap)
    const content = (await exists(join(swap, 'old'))) ? await readKept(swap) : null
    if (content !== null) {
      const folder = folders.sideFolder('kept', name)
      await moveDurably(swap, folder)
      kept.set(folder, content)
      remainingSwaps.delete(swap)
      return
    }
  } catch (error) {
    throw new Error(`what a restore left cannot be put back (${textOf(error)})`)
  }
  remainingSwaps.delete(swap)
  await clearSwap(folders, name, swap, remainingSwaps)
}

/** What a room held before is kept as long as it is whole. */
async function recallKept(path: string, kept: Map<string, KeptContent>): Promise<void> {
  try {
    const content = (await exists(join(path, 'old'))) ? await readKept(path) : null
    if (content === null) return await discard(path)
    kept.set(path, content)
    await removeDraftIn(join(path, 'old'))
  } catch (error) {
    reportTrouble('What a room held before cannot be read', error)
  }
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

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (isAbsent(error)) return false
      throw error
    },
  )
}
