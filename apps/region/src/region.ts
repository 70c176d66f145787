/**
 * An open region: the data folder, recovered and indexed, and what all features share.
 *
 * How it keeps its promises: a room's folder appears, changes place and goes by rename; a change of a room happens in
 * the room's turn, one after another; room.json and SQLite commits are on disk before an answer is sent.
 */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { removeTree } from '#disk/durable.ts'
import { mkdir } from '#disk/files.ts'
import { createFences, type Fence, type Fences } from '#fences.ts'
import { instanceIdOf, openRegionDatabase } from '#region-database.ts'
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
}

/** @throws {DataFolderInUse} */
export async function openRegion(settings: RegionSettings): Promise<Region> {
  await mkdir(settings.dataDir, { recursive: true })
  const database = openRegionDatabase(join(settings.dataDir, 'region.db'))
  await removeTree(join(settings.dataDir, workFolder))
  await mkdir(join(settings.dataDir, workFolder))
  const folders = createRoomFolders(settings.dataDir)
  const records = await recoverRooms(folders)
  return {
    settings,
    instanceId: instanceIdOf(database),
    database,
    folders,
    handles: createDatabaseHandles(),
    index: createRoomIndex(records),
    turns: createTurns(),
    fences: createFences(database),
  }
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
