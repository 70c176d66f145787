/**
 * An open region: the data folder, recovered and indexed, and what all features share.
 *
 * How it keeps its promises: a room's folder appears, changes place and goes by rename; a change of a room happens in
 * the room's turn, one after another; room.json and SQLite commits are on disk before an answer is sent.
 */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { discard } from '#disk/discard.ts'
import { mkdir, readdir } from '#disk/files.ts'
import { createReserve, type Reserve } from '#disk/reserve.ts'
import { createFences, type Fence, type Fences } from '#fences.ts'
import { instanceIdOf, openRegionDatabase } from '#region-database.ts'
import { tellingDamage } from '#rooms/damaged-rooms.ts'
import { recoverRooms } from '#rooms/recover-rooms.ts'
import { createRoomFolders, type RoomFolders, workFolder } from '#rooms/room-folders.ts'
import { createRoomIndex, type RoomIndex } from '#rooms/room-index.ts'
import type { RegionSettings } from '#settings.ts'
import { createDatabaseHandles, type DatabaseHandles } from '#sqlite/database-handles.ts'
import { createTurns, type Turns } from '#turns.ts'

export interface Region {
  settings: RegionSettings
  /** A UUID, made once for this data. */
  instanceId: string
  /** region.db */
  database: DatabaseSync
  folders: RoomFolders
  handles: DatabaseHandles
  index: RoomIndex
  turns: Turns
  fences: Fences
  /** Space for deleting, on the disk of the data folder. */
  reserve: Reserve
  /** Rooms that are there but cannot be used, by name, with the reason. */
  damaged: Map<string, string>
  /** Swaps that could not be cleared, with their rooms: see asides.ts. */
  swapsLeft: Map<string, string>
}

/** @throws {DataFolderInUse} */
export async function openRegion(settings: RegionSettings): Promise<Region> {
  await mkdir(settings.dataDir, { recursive: true })
  const database = openRegionDatabase(join(settings.dataDir, 'region.db'))
  await emptyWorkFolder(join(settings.dataDir, workFolder))
  const folders = createRoomFolders(settings.dataDir)
  const { records, damaged, swapsLeft } = await recoverRooms(folders)
  const reserve = createReserve(settings.dataDir)
  reserve.keep()
  const region: Region = {
    settings,
    instanceId: instanceIdOf(database),
    database,
    folders,
    handles: createDatabaseHandles(),
    index: createRoomIndex(records),
    turns: tellingDamage(createTurns(), () => region),
    fences: createFences(database),
    reserve,
    damaged,
    swapsLeft,
  }
  return region
}

/** The folder itself stays: on a full disk it could not be made again. */
async function emptyWorkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const draft of await readdir(folder)) await discard(join(folder, draft))
}

export function closeRegion(region: Region): void {
  region.handles.closeAll()
  region.database.close()
}

/** Runs a change of a room in the room's turn, unless its worker has been overtaken. */
export function inTurn<T>(region: Region, room: string, fence: Fence | undefined, work: () => Promise<T>): Promise<T> {
  return region.turns.take(room, async () => {
    region.fences.admit(fence)
    return work()
  })
}
