/**
 * Puts new content in the place of a room's: `.swap-<name>-…/new` takes the place of the room, which waits in `old`.
 * A crash in between leaves the old room or the new one: recover-rooms.ts puts the old one back when its place is empty.
 * When the second rename is done the restore has taken effect; nothing that fails afterwards says otherwise.
 */
import { join } from 'node:path'
import { syncToDisk, syncTreeToDisk, withFolders } from '#disk/durable.ts'
import { endProcess } from '#disk/end-process.ts'
import { mkdir, readdir, rename } from '#disk/files.ts'
import type { RunningJob } from '#jobs/job-kind.ts'
import { inTurn } from '#region.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { clearSwap, giveUpSwaps } from './asides.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { databasesFolder, databasesIn, systemDatabaseFile } from './room-folders.ts'
import { type RoomRecord, writeRoomRecord } from './room-record.ts'
import { rememberUsers } from './user-index.ts'
import { listUsers } from './users.ts'

export interface NewContent {
  /** Fills the new folder while the room is in use. */
  prepare(folder: string): Promise<void>
  /** Completes it in the room's turn, when nobody changes the room any more; short. */
  complete?(folder: string): Promise<void>
}

type RestoreJob = RunningJob<'restoreRoom'> | RunningJob<'restoreFromObjectStore'>

/** @returns the names of the databases that the room has then. */
export async function swapRoom(job: RestoreJob, content: NewContent): Promise<string[]> {
  const { region, input, signal } = job
  const swap = region.folders.aside('swap', input.room)
  const next = join(swap, 'new')
  await mkdir(swap)
  try {
    await mkdir(join(next, databasesFolder), { recursive: true })
    await content.prepare(next)
    await syncTreeToDisk(next)
    return await inTurn(region, input.room, undefined, async () => {
      signal.throwIfAborted()
      const record = ownUnlockedRoom(region, input)
      await giveUpSwaps(region, input.room)
      region.handles.close(region.folders.room(input.room))
      await content.complete?.(next)
      const databases = databasesIn(await readdir(join(next, databasesFolder)))
      await putInPlace(job, record, swap, databases)
      return databases
    })
  } finally {
    await clearSwap(region.folders, input.room, swap, region.swapsLeft)
  }
}

/** Name, state and lock stay those of the room; its users come from the new content. */
async function putInPlace(job: RestoreJob, record: RoomRecord, swap: string, databases: string[]): Promise<void> {
  const { region } = job
  const place = region.folders.room(record.name)
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
  // The swap is where recovery finds it, before anything is moved into it.
  await syncToDisk(swap)
  await syncToDisk(region.folders.root)
  await job.aboutTo({ from: next, to: place, result: { databases } })
  await withFolders([region.folders.root, swap], async (sync) => {
    await rename(place, old)
    await rename(next, place).catch(async (error: unknown) => {
      await rename(old, place).catch((again: unknown) => endProcess(`${record.name} is not in its place`, again))
      await sync()
      throw error
    })
    await sync()
  })
}
