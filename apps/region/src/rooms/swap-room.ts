/**
 * Replaces the content of a room: renames the room's folder to `.swap-<name>-…/old`, and `.swap-<name>-…/new` to the
 * room's folder. After a crash between the two, recover-rooms.ts puts the old content back. With the second rename the
 * restore has taken effect, even if a later step fails. The job replaceRoom keeps the old content: the whole
 * `.swap-<name>-…` becomes `.kept-<name>-…`, here or by recovery, which knows by `kept.json` that it has to.
 */
import { dirname, join } from 'node:path'
import { syncToDisk, syncTreeToDisk, withFolders } from '#disk/durable.ts'
import { endProcess } from '#disk/end-process.ts'
import { mkdir, readdir, rename } from '#disk/files.ts'
import type { RunningJob } from '#jobs/job-kind.ts'
import { type Region, runExclusively } from '#region.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { findKept, recallUnread } from './kept-content.ts'
import { type KeptContent, writeKept } from './kept-record.ts'
import { databasesFolder, databasesIn, systemDatabaseFile } from './room-folders.ts'
import { type RoomRecord, writeRoomRecord } from './room-record.ts'
import { abandonSwaps, clearSwap } from './swaps.ts'
import { rememberUsers } from './user-index.ts'
import { listUsers } from './users.ts'

export interface NewContent {
  /** Fills the new folder while the room is in use. */
  prepare(folder: string): Promise<void>
  /** Completes the new folder under the room's mutex, while no one can change the room. Must be quick. */
  complete?(folder: string): Promise<void>
}

export type RestoreJob = RunningJob<'restoreRoom'> | RunningJob<'restoreFromObjectStore'> | RunningJob<'replaceRoom'>

/** @returns the names of the room's new databases */
export async function swapRoom(job: RestoreJob, content: NewContent): Promise<string[]> {
  const { region, input, signal } = job
  const swap = region.folders.sideFolder('swap', input.room)
  const next = join(swap, 'new')
  await mkdir(swap)
  let isKept = false
  try {
    await mkdir(join(next, databasesFolder), { recursive: true })
    await content.prepare(next)
    await syncTreeToDisk(next)
    return await runExclusively(region, input.room, undefined, async () => {
      signal.throwIfAborted()
      const record = ownUnlockedRoom(region, input)
      await abandonSwaps(region, input.room)
      if (input.type === 'replaceRoom') await recallUnread(region, input.room)
      region.handles.close(region.folders.room(input.room))
      await content.complete?.(next)
      const databases = databasesIn(await readdir(join(next, databasesFolder)))
      const kept = await keptBy(job, swap)
      await exchangeContent(region, { record, swap, next, ...kept }, (effect) =>
        job.recordEffect({ ...effect, result: { databases } }),
      )
      isKept = kept !== null
      return databases
    })
  } finally {
    if (!isKept) await clearSwap(region.folders, input.room, swap, region.remainingSwaps)
  }
}

/** Notes in the swap that it is to be kept, unless the job keeps nothing, or has kept what the room held before. */
async function keptBy({ region, input }: RestoreJob, swap: string): Promise<Pick<Exchange, 'kept'> | null> {
  if (input.type !== 'replaceRoom') return null
  const { keep: id, room, roomId } = input
  if (findKept(region, { id, roomId }) !== undefined) return null
  const content = { id, room, roomId, keptAt: new Date().toISOString() }
  await writeKept(swap, content)
  return { kept: { folder: region.folders.sideFolder('kept', room), content } }
}

export interface Exchange {
  record: RoomRecord
  swap: string
  /** The folder that becomes the room's. */
  next: string
  /** What the swap becomes; otherwise the caller clears it. */
  kept?: { folder: string; content: KeptContent }
}

/**
 * Called under the room's mutex, with its handles closed. The room keeps its record (id, state, lock); its users come
 * from the new content.
 * @param recordEffect called just before the renames
 */
export async function exchangeContent(
  region: Region,
  { record, swap, next, kept }: Exchange,
  recordEffect: (effect: { from: string; to: string }) => Promise<void>,
): Promise<void> {
  const folder = region.folders.room(record.name)
  const old = join(swap, 'old')
  // An id that is used again was not put back any more.
  await writeRoomRecord(next, kept?.content.id === record.putBack ? { ...record, putBack: undefined } : record)
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
  await recordEffect({ from: next, to: folder })
  await withFolders([region.folders.root, swap, dirname(next)], async (sync) => {
    await rename(folder, old)
    await rename(next, folder).catch(async (error: unknown) => {
      await rename(old, folder).catch((again: unknown) => endProcess(`${record.name} is not in its place`, again))
      await sync()
      throw error
    })
    await sync()
    if (kept !== undefined)
      await rename(swap, kept.folder).catch((error: unknown) =>
        endProcess(`what ${record.name} held before is not in its place`, error),
      )
  })
  if (kept !== undefined) region.kept.set(kept.folder, kept.content)
}
