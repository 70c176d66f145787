/**
 * Replaces the content of a room: renames the room's folder to `.swap-<name>-…/old`, and `.swap-<name>-…/new` to the
 * room's folder. After a crash between the two, recover-rooms.ts puts the old content back. With the second rename the
 * restore has taken effect, whatever fails afterwards.
 */
import { join } from 'node:path'
import { syncToDisk, syncTreeToDisk, withFolders } from '#disk/durable.ts'
import { endProcess } from '#disk/end-process.ts'
import { mkdir, readdir, rename } from '#disk/files.ts'
import type { RunningJob } from '#jobs/job-kind.ts'
import { runExclusively } from '#region.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { databasesFolder, databasesIn, systemDatabaseFile } from './room-folders.ts'
import { type RoomRecord, writeRoomRecord } from './room-record.ts'
import { abandonSwaps, clearSwap } from './swaps.ts'
import { rememberUsers } from './user-index.ts'
import { listUsers } from './users.ts'

export interface NewContent {
  /** Fills the new folder while the room is in use. */
  prepare(folder: string): Promise<void>
  /** Completes the new folder under the room's mutex, while nobody can change the room. Must be quick. */
  complete?(folder: string): Promise<void>
}

type RestoreJob = RunningJob<'restoreRoom'> | RunningJob<'restoreFromObjectStore'>

/** @returns the names of the room's new databases */
export async function swapRoom(job: RestoreJob, content: NewContent): Promise<string[]> {
  const { region, input, signal } = job
  const swap = region.folders.sideFolder('swap', input.room)
  const next = join(swap, 'new')
  await mkdir(swap)
  try {
    await mkdir(join(next, databasesFolder), { recursive: true })
    await content.prepare(next)
    await syncTreeToDisk(next)
    return await runExclusively(region, input.room, undefined, async () => {
      signal.throwIfAborted()
      const record = ownUnlockedRoom(region, input)
      await abandonSwaps(region, input.room)
      region.handles.close(region.folders.room(input.room))
      await content.complete?.(next)
      const databases = databasesIn(await readdir(join(next, databasesFolder)))
      await replaceRoom(job, record, swap, databases)
      return databases
    })
  } finally {
    await clearSwap(region.folders, input.room, swap, region.remainingSwaps)
  }
}

/** The room keeps its record (id, state, lock); its users come from the new content. */
async function replaceRoom(job: RestoreJob, record: RoomRecord, swap: string, databases: string[]): Promise<void> {
  const { region } = job
  const folder = region.folders.room(record.name)
  const next = join(swap, 'new')
  const old = join(swap, 'old')
  await writeRoomRecord(next, record)
  const system = openDatabase(join(next, systemDatabaseFile))
  try {
    rememberUsers(region, record.name, listUsers(system))
  } finally {
    system.close()
  }
  await syncTreeToDisk(next)
  // The swap must be on disk, where recovery finds it, before anything is moved into it.
  await syncToDisk(swap)
  await syncToDisk(region.folders.root)
  await job.recordEffect({ from: next, to: folder, result: { databases } })
  await withFolders([region.folders.root, swap], async (sync) => {
    await rename(folder, old)
    await rename(next, folder).catch(async (error: unknown) => {
      await rename(old, folder).catch((again: unknown) => endProcess(`${record.name} is not in its place`, again))
      await sync()
      throw error
    })
    await sync()
  })
}
