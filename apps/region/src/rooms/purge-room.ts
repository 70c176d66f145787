/**
 * The job purgeRoom: removes whatever the region still has of a room, by its roomId, and fails when something stays. A
 * deletion leaves files of backups for two days, and reports what it cannot remove instead of failing.
 */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { removeTree } from '#disk/durable.ts'
import { readdir } from '#disk/files.ts'
import type { FileStore } from '#files/file-store.ts'
import type { InputOf, JobKind } from '#jobs/job-kind.ts'
import { type Region, runExclusively } from '#region.ts'
import { moveAway } from './delete-room.ts'
import { refuseDamaged, refuseWhenLocked } from './find-room.ts'
import { moveKeptAway } from './kept-content.ts'
import { sideFolderOf } from './room-folders.ts'

type Input = InputOf<'purgeRoom'>

export function purgeRoom(files: FileStore): JobKind<'purgeRoom'> {
  return {
    check: () => undefined,
    deletes: true,
    run: async ({ region, input: given, signal, log }) => {
      const input = { ...given, roomId: given.roomId.toLowerCase() }
      const copies = await moveCopiesAway(region, input, signal)
      const kept = await moveKeptAway(region, input)
      for (const path of [...copies, ...kept, ...(await remainsOf(region, input.room))]) await removeTree(path)
      const removed = { copies: copies.length, kept: kept.length, files: await removeFiles(region, files, input) }
      log(`Removed: copies ${removed.copies}, former contents ${removed.kept}, files ${removed.files}.`)
      return removed
    },
  }
}

/** @throws {Refusal} 'room-damaged' when nobody can tell which room the folder of this name is; 'room-locked' */
async function moveCopiesAway(region: Region, { room, roomId }: Input, signal: AbortSignal): Promise<string[]> {
  refuseDamaged(region, room)
  const moved: string[] = []
  for (const { name } of region.index.after('', region.index.size).filter((each) => each.roomId === roomId)) {
    await runExclusively(region, name, undefined, async () => {
      signal.throwIfAborted()
      const record = region.index.get(name)
      if (record?.roomId !== roomId) return
      refuseWhenLocked(record)
      moved.push(await moveAway(region, name))
    })
  }
  return moved
}

/** What earlier removals of rooms of this name could not remove: worthless, whichever room it was. */
async function remainsOf({ folders }: Region, room: string): Promise<string[]> {
  const entries = (await readdir(folders.root)).filter((entry) => {
    const sideFolder = sideFolderOf(entry)
    return sideFolder?.kind === 'old' && sideFolder.name === room
  })
  return entries.map((entry) => join(folders.root, entry))
}

/** @returns how many there were */
async function removeFiles({ database }: Region, files: FileStore, { roomId, files: named }: Input): Promise<number> {
  let removed = 0
  for (const id of new Set([...named, ...filesOfJobs(database, roomId)])) if (await files.purge(id)) removed += 1
  return removed
}

/** The files that jobs for this room have made or read. A job's own file has the id of the job. */
function filesOfJobs(database: DatabaseSync, roomId: string): string[] {
  const jobs = database
    .prepare(
      `SELECT id, json_extract(input, '$.file') AS read, json_extract(input, '$.from.file') AS source,
              json_extract(result, '$.file') AS made
         FROM jobs WHERE lower(json_extract(input, '$.roomId')) = ? AND type <> 'purgeRoom'`,
    )
    .all(roomId)
  return jobs.flatMap((job) => Object.values(job).filter((id) => typeof id === 'string'))
}
