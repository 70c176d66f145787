/** Opens a region's data folder: recovers from interrupted work and indexes the rooms. */
import { join } from 'node:path'
import { discard } from '#disk/discard.ts'
import { mkdir, readdir } from '#disk/files.ts'
import { createReserve } from '#disk/reserve.ts'
import { createFences } from '#fences.ts'
import { createKeyedMutex } from '#keyed-mutex.ts'
import type { Region } from '#region.ts'
import { instanceIdOf, openRegionDatabase } from '#region-database.ts'
import { reportingDamage } from '#rooms/damaged-rooms.ts'
import { wasDeletedSince } from '#rooms/kept-content.ts'
import { recoverRooms } from '#rooms/recover-rooms.ts'
import { createRoomFolders, workFolder } from '#rooms/room-folders.ts'
import { createRoomIndex } from '#rooms/room-index.ts'
import type { RegionSettings } from '#settings.ts'
import { createDatabaseHandles } from '#sqlite/database-handles.ts'

/** @throws {DataFolderInUse} */
export async function openRegion(settings: RegionSettings): Promise<Region> {
  await mkdir(settings.dataDir, { recursive: true })
  const database = openRegionDatabase(join(settings.dataDir, 'region.db'))
  await emptyWorkFolder(join(settings.dataDir, workFolder))
  const folders = createRoomFolders(settings.dataDir)
  const kept: Region['kept'] = new Map()
  const { records, damaged, remainingSwaps } = await recoverRooms(folders, kept, (content) =>
    wasDeletedSince(database, content),
  )
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
    kept,
  }
  return region
}

/** Keeps the folder itself: on a full disk it could not be made again. */
async function emptyWorkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const entry of await readdir(folder)) await discard(join(folder, entry))
}

export function closeRegion(region: Region): void {
  region.handles.closeAll()
  region.database.close()
}
