/**
 * The job purgeRoom: removes everything that the region still has of a room, by its roomId, and fails when something
 * stays. A deletion leaves files of backups for two days, and reports what it cannot remove instead of failing.
 */
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { removeTree, syncToDisk } from '#disk/durable.ts'
import { readdir } from '#disk/files.ts'
import type { FileStore } from '#files/file-store.ts'
import type { InputOf, JobKind } from '#jobs/job-kind.ts'
import { type Region, runExclusively } from '#region.ts'
import { committing } from '#sqlite/database-handles.ts'
import { moveAway } from './delete-room.ts'
import { refuseDamaged, refuseWhenLocked } from './find-room.ts'
import { allKept, moveKeptAway } from './kept-content.ts'
import { sideFolderOf } from './room-folders.ts'
import { forgetUsersOf } from './user-index.ts'

type Input = InputOf<'purgeRoom'>

export function purgeRoom(files: FileStore): JobKind<'purgeRoom'> {
  return {
    check: () => undefined,
    deletes: true,
    run: async ({ region, input: given, signal, log }) => {
      const input = { ...given, roomId: given.roomId.toLowerCase() }
      if (input.look === true) return look(region, files, input)
      const copies = await moveCopiesAway(region, input, signal)
      const kept = await moveKeptAway(region, input)
      for (const path of [...copies, ...kept, ...(await remainsOf(region, namesOf(region, input)))])
        await removeTree(path)
      // What it has removed does not come back with a power cut: a certificate will say that nothing is left.
      await syncToDisk(region.folders.root)
      const removed = {
        copies: copies.length,
        kept: kept.length,
        files: await files.purge(namesOfFiles(region, input)),
      }
      await forgetTexts(region, input)
      log(`Removed: copies ${removed.copies}, former contents ${removed.kept}, files ${removed.files}.`)
      return removed
    },
  }
}

/** @throws {Refusal} 'room-damaged', 'room-locked', as the purge itself would */
async function look(region: Region, files: FileStore, input: Input) {
  refuseDamaged(region, input.room)
  const copies = copiesOf(region, input)
  for (const copy of copies) refuseWhenLocked(copy)
  const there = await Promise.all(namesOfFiles(region, input).map((id) => files.has(id)))
  return {
    copies: copies.length,
    kept: (await allKept(region, input)).length,
    files: there.filter(Boolean).length,
  }
}

function copiesOf({ index }: Region, { roomId }: Input) {
  return index.after('', index.size).filter((each) => each.roomId === roomId)
}

/** @throws {Refusal} 'room-damaged' when it is unknown which room the folder of this name holds; 'room-locked' */
async function moveCopiesAway(region: Region, input: Input, signal: AbortSignal): Promise<string[]> {
  const { room, roomId } = input
  refuseDamaged(region, room)
  const moved: string[] = []
  for (const { name } of copiesOf(region, input)) {
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

/** What earlier removals of rooms of these names could not remove: worthless, whichever room it was. */
async function remainsOf({ folders }: Region, names: ReadonlySet<string>): Promise<string[]> {
  const entries = (await readdir(folders.root)).filter((entry) => {
    const sideFolder = sideFolderOf(entry)
    return sideFolder?.kind === 'old' && names.has(sideFolder.name)
  })
  return entries.map((entry) => join(folders.root, entry))
}

function namesOfFiles({ database }: Region, { roomId, files }: Input): string[] {
  return [...new Set([...files, ...filesOfJobs(database, roomId)])]
}

/**
 * The users that the index still has of it, and what its jobs have logged. Their records stay for as long as those of
 * all jobs: repeated calls are recognised by them, and so are files that come back.
 * @throws when some of it stays
 */
async function forgetTexts(region: Region, input: Input): Promise<void> {
  const { database } = region
  for (const name of namesOf(region, input))
    await region.roomMutex.runExclusive(name, async () => {
      if (region.index.get(name) === undefined) forgetUsersOf(region, name)
    })
  committing(database, () =>
    database.prepare(`DELETE FROM job_lines WHERE job IN (SELECT id ${jobsOfRoom})`).run(input.roomId),
  )
}

const jobsOfRoom = `FROM jobs WHERE lower(json_extract(input, '$.roomId')) = ? AND type <> 'purgeRoom'`

/** All names that it has had, as far as the jobs tell. */
function namesOf({ database }: Region, { room, roomId }: Input): ReadonlySet<string> {
  const jobs = database.prepare(`SELECT DISTINCT room ${jobsOfRoom}`).all(roomId)
  return new Set([room, ...jobs.map((job) => String(job.room))])
}

/** The files that jobs for this room have made or read. A job's own file has the id of the job. */
function filesOfJobs(database: DatabaseSync, roomId: string): string[] {
  const jobs = database
    .prepare(
      `SELECT id, json_extract(input, '$.file') AS read, json_extract(input, '$.from.file') AS source,
              json_extract(result, '$.file') AS made
         ${jobsOfRoom}`,
    )
    .all(roomId)
  return jobs.flatMap((job) => Object.values(job).filter((id) => typeof id === 'string'))
}
