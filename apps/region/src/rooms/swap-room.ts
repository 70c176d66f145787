/**
 * Puts new content in the place of a room's: `.swap-<name>-…/new` takes the place of the room, which waits in `old`.
 * A crash in between leaves the old room or the new one: recover-rooms.ts puts the old one back when its place is empty.
 */
import { join } from 'node:path'
import { moveDurably, removeTree, syncToDisk, syncTreeToDisk } from '#disk/durable.ts'
import { mkdir, rename } from '#disk/files.ts'
import type { RunningJob } from '#jobs/job-kind.ts'
import { inTurn, type Region } from '#region.ts'
import { openDatabase } from '#sqlite/database-handles.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { databasesFolder, systemDatabaseFile } from './room-folders.ts'
import { type RoomRecord, writeRoomRecord } from './room-record.ts'
import { rememberUsers } from './user-index.ts'
import { listUsers } from './users.ts'

export interface NewContent {
  /** Fills the new folder while the room is in use. */
  prepare(folder: string): Promise<void>
  /** Completes it in the room's turn, when nobody changes the room any more; short. */
  complete?(folder: string): Promise<void>
}

export async function swapRoom(
  job: RunningJob<'restoreRoom'> | RunningJob<'restoreFromObjectStore'>,
  content: NewContent,
): Promise<void> {
  const { region, input, signal } = job
  const swap = region.folders.aside('swap', input.room)
  const next = join(swap, 'new')
  try {
    await mkdir(join(next, databasesFolder), { recursive: true })
    await content.prepare(next)
    await syncTreeToDisk(next)
    await inTurn(region, input.room, undefined, async () => {
      signal.throwIfAborted()
      const record = ownUnlockedRoom(region, input)
      region.handles.close(region.folders.room(input.room))
      await content.complete?.(next)
      await putInPlace(region, record, swap)
    })
  } finally {
    await removeTree(swap)
  }
}

/** Name, state and lock stay those of the room; its users come from the new content. */
async function putInPlace(region: Region, record: RoomRecord, swap: string): Promise<void> {
  const place = region.folders.room(record.name)
  const next = join(swap, 'new')
  await writeRoomRecord(next, record)
  const system = openDatabase(join(next, systemDatabaseFile))
  try {
    rememberUsers(region, record.name, listUsers(system))
  } finally {
    system.close()
  }
  await syncTreeToDisk(next)
  await moveDurably(place, join(swap, 'old'))
  try {
    await rename(next, place)
  } catch (error) {
    await rename(join(swap, 'old'), place)
    throw error
  }
  await syncToDisk(region.folders.root)
}
