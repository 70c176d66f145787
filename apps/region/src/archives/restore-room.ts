/**
 * The job restoreRoom, and the part that all restores share. A room backup replaces the room's content; the databases
 * of a product backup are added to it.
 */
import { join } from 'node:path'
import type { JobResult } from '@roomkeeper/region-protocol'
import { mayBeReplaced } from '#databases/may-be-replaced.ts'
import { discard } from '#disk/discard.ts'
import { copyFile, link, rename, stat } from '#disk/files.ts'
import { refuseWithoutSpace } from '#disk/free-space.ts'
import type { FileStore } from '#files/file-store.ts'
import type { PlannedEffect } from '#jobs/effects.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'
import { listDatabases } from '#rooms/room-info.ts'
import { type RestoreJob, swapRoom } from '#rooms/swap-room.ts'
import { settleDatabase } from '#sqlite/copy-database.ts'
import { databaseOfPath } from './read-room-backup.ts'
import {
  type Digested,
  databaseIn,
  endUnpacking,
  logged,
  openBackup,
  type RoomBackup,
  type Unpacking,
  unpack,
  unpackAndDigest,
} from './unpack-in-sandbox.ts'

export function restoreRoom(files: FileStore): JobKind<'restoreRoom'> {
  return {
    check: (region, input) => void ownUnlockedRoom(region, input),
    run: async (job) => {
      ownUnlockedRoom(job.region, job.input)
      const { path } = await files.contentOf(job.input.file)
      return restoreFrom(job, path)
    },
  }
}

/** Restores the room from the backup at this path. @throws {Refusal} if it is no backup, or of another product */
export async function restoreFrom(job: RestoreJob, path: string): Promise<JobResult<'restoreRoom'>> {
  const { region, input, log } = job
  const { product } = ownUnlockedRoom(region, input)
  const unpacking = unpackingOf(job)
  const unpacked = region.folders.work()
  try {
    const { manifest, small } = await openBackup(unpacking, { path, folder: unpacked, product })
    const backup = { path, manifest }
    const digested: Digested = {}
    const databases =
      manifest.kind === 'product'
        ? await joinDatabases(job, backup, unpacked)
        : await swapRoom(telling(job, digested), {
            prepare: async (folder) => {
              const found = small
                ? await takeSmall(unpacking, { backup, unpacked, folder, ...small })
                : await unpackAndDigest(unpacking, backup, folder)
              if (found.digest !== undefined) digested.digest = found.digest
            },
          })
    log(`The project room ${input.room} has the databases ${databases.join(', ')}.`)
    return { databases, ...digested }
  } finally {
    await discard(unpacked)
  }
}

interface SmallBackup {
  backup: RoomBackup
  unpacked: string
  folder: string
  digest: string | null
  rebuilt: string[]
}

/** Takes the room that was unpacked and checked already. */
async function takeSmall(
  unpacking: Unpacking,
  { backup, unpacked, folder, digest, rebuilt }: SmallBackup,
): Promise<Digested> {
  for (const name of [systemDatabaseFile, databasesFolder]) await rename(join(unpacked, name), join(folder, name))
  endUnpacking(unpacking, backup, rebuilt)
  return digest === null ? {} : logged(unpacking, digest)
}

/**
 * A room that is moved comes from another region, and its digest shows that no row differs. Any other backup may come
 * from anywhere, and is checked as `verifyBackup` does it.
 */
function unpackingOf(job: RestoreJob): Unpacking {
  const { region, signal, progress, log, input } = job
  const digest = input.type === 'restoreRoom' && input.digest === true
  return { region, signal, progress, log, digest, thorough: !digest }
}

/** The result is the same when the region dies after the swap. */
function telling(job: RestoreJob, digested: Digested): RestoreJob {
  return {
    ...job,
    recordEffect: (effect: PlannedEffect & { result: JobResult<'restoreRoom'> }) =>
      job.recordEffect({ ...effect, result: { ...effect.result, ...digested } }),
  }
}

/**
 * The new content is made of hard links to the room's own files, or of copies if the old content is to be kept, and of
 * the databases of the backup. A database of the backup may replace one of the room that has the same name only if that
 * is empty, or equal.
 */
async function joinDatabases(job: RestoreJob, backup: RoomBackup, unpacked: string): Promise<string[]> {
  const { region, input, signal } = job
  const { checkSeconds } = region.settings
  const joining = backup.manifest.files.flatMap(({ path }) => databaseOfPath(path) ?? [])
  await unpack(unpackingOf(job), backup, unpacked)
  return swapRoom(job, {
    prepare: async (folder) => {
      for (const name of joining) await rename(databaseIn(unpacked, name), databaseIn(folder, name))
    },
    complete: async (folder) => {
      const room = region.folders.room(input.room)
      settleDatabase(join(room, systemDatabaseFile))
      const taken = [{ from: join(room, systemDatabaseFile), to: join(folder, systemDatabaseFile) }]
      for (const name of await listDatabases(region, input.room)) {
        const own = databaseIn(room, name)
        settleDatabase(own)
        const other = joining.find((each) => each.toLowerCase() === name.toLowerCase())
        if (other === undefined) taken.push({ from: own, to: databaseIn(folder, name) })
        else if (!(await mayBeReplaced(own, databaseIn(folder, other), { signal, whenEmpty: true, checkSeconds })))
          throw refuse('database-exists', { database: name })
      }
      if (input.type === 'replaceRoom') await copyAll(taken, folder, signal)
      else for (const { from, to } of taken) await link(from, to)
    },
  })
}

/** Called under the room's mutex: refuses at once what does not fit, and ends between two files when the job is cancelled. */
async function copyAll(files: { from: string; to: string }[], folder: string, signal: AbortSignal): Promise<void> {
  let bytes = 0
  for (const { from } of files) bytes += (await stat(from)).size
  await refuseWithoutSpace(folder, bytes)
  for (const { from, to } of files) {
    signal.throwIfAborted()
    await copyFile(from, to)
  }
}
