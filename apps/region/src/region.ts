/**
 * An open region: the data folder, recovered and indexed, and what all features share.
 *
 * A room's folder appears, moves and disappears by rename; changes of a room happen one after another, under the room's
 * mutex; room.json and SQLite commits are on disk before an answer is sent.
 */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { discard } from '#disk/discard.ts'
import { mkdir, readdir } from '#disk/files.ts'
import { createReserve, type Reserve } from '#disk/reserve.ts'
import { createFences, type Fence, type Fences } from '#fences.ts'
import { createKeyedMutex, type KeyedMutex } from '#keyed-mutex.ts'
import { instanceIdOf, openRegionDatabase } from '#region-database.ts'
import { reportingDamage } from '#rooms/damaged-rooms.ts'
import { recoverRooms } from '#rooms/recover-rooms.ts'
import { createRoomFolders, type RoomFolders, workFolder } from '#rooms/room-folders.ts'
import { createRoomIndex, type RoomIndex } from '#rooms/room-index.ts'
import type { RegionSettings } from '#settings.ts'
import { createDatabaseHandles, type DatabaseHandles } from '#sqlite/database-handles.ts'

export interface Region {
  settings: RegionSettings
  /** A UUID, made once for this data. */
  instanceId: string
  /** region.db */
  database: DatabaseSync
  folders: RoomFolders
  handles: DatabaseHandles
  index: RoomIndex
  roomMutex: KeyedMutex
  fences: Fences
  /** Disk space that is kept for deletions. */
  reserve: Reserve
  /** Damaged rooms by name, with the reason. */
  damaged: Map<string, string>
  /** Swaps that could not be cleared, with their rooms: see swaps.ts. */
  remainingSwaps: Map<string, string>
}

/** @throws {DataFolderInUse} */
export async function openRegion(settings: RegionSettings): Promise<Region> {
  await mkdir(settings.dataDir, { recursive: true })
  const database = openRegionDatabase(join(settings.dataDir, 'region.db'))
  await emptyWorkFolder(join(settings.dataDir, workFolder))
  const folders = createRoomFolders(settings.dataDir)
  const { records, damaged, remainingSwaps } = await recoverRooms(folders)
  const reserve = createReserve(settings.dataDir)
  reserve.keep()
  const region: Region = {
    settings,
    instanceId: instanceIdOf(database),
    database,
    folders,
    handles: createDatabaseHandles(),
    index: createRoomIndex(records),
    roomMutex: reportingDamage(createKeyedMutex(), () => region),
    fences: createFences(database),
    reserve,
    damaged,
    remainingSwaps,
  }
  return region
}

/** The folder itself stays: on a full disk it could not be made again. */
async function emptyWorkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const entry of await readdir(folder)) await discard(join(folder, entry))
}

export function closeRegion(region: Region): void {
  region.handles.closeAll()
  region.database.close()
}

/** Changes a room under its mutex. @throws {Refusal} 'overtaken' */
export function runExclusively<T>(
  region: Region,
  room: string,
  fence: Fence | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return region.roomMutex.runExclusive(room, async () => {
    region.fences.admit(fence)
    return work()
  })
}
