/**
 * The job restoreRoom, and the part that all restores share. A room backup replaces the room's content; the databases
 * of a product backup are added to it.
 */
import { join } from 'node:path'
import type { BackupManifest, JobResult } from '@roomkeeper/region-protocol'
import { mayBeReplaced } from '#databases/may-be-replaced.ts'
import { discard } from '#disk/discard.ts'
import { copyFile, link, readdir, rename, stat } from '#disk/files.ts'
import { refuseWithoutSpace } from '#disk/free-space.ts'
import type { FileStore } from '#files/file-store.ts'
import type { PlannedEffect } from '#jobs/effects.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { digestInSandbox } from '#rooms/digest-room.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import { databasesFolder, databasesIn, systemDatabaseFile } from '#rooms/room-folders.ts'
import { listDatabases } from '#rooms/room-info.ts'
import { type RestoreJob, swapRoom } from '#rooms/swap-room.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { settleDatabase } from '#sqlite/copy-database.ts'
import { together } from '#together.ts'
import type { OpenedBackup } from './open-backup.ts'
import { databaseOfPath } from './read-room-backup.ts'

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
  const unpacked = region.folders.work()
  try {
    const { manifest, small } = await openBackup(job, { path, folder: unpacked, product })
    log(`The backup of ${manifest.room} was taken at ${manifest.createdAt}.`)
    const backup = { path, manifest }
    const compared: Compared = {}
    const databases =
      manifest.kind === 'product'
        ? await joinDatabases(job, backup, unpacked)
        : await swapRoom(telling(job, compared), {
            prepare: async (folder) => {
              const found = small
                ? await takeSmall(job, { backup, unpacked, folder, digest: small.digest })
                : await unpackAndCompare(job, backup, folder)
              Object.assign(compared, found)
            },
          })
    log(`The project room ${input.room} has the databases ${databases.join(', ')}.`)
    return { databases, ...compared }
  } finally {
    await discard(unpacked)
  }
}

interface RoomBackup {
  path: string
  manifest: BackupManifest
}

/** One task for a small room: handing over several of them takes about as long as their work. */
async function openBackup(
  job: RestoreJob,
  { path, folder, product }: { path: string; folder: string; product: string },
): Promise<OpenedBackup> {
  const { region, signal, progress } = job
  const seconds = secondsFor((await stat(path)).size, region.settings.checkSeconds)
  const digest = expectedDigestOf(job) !== undefined
  const task = { path, folder, product, digest, smallBelowBytes: largeBytes }
  return runInSandbox('openBackup', task, { signal, seconds, progress: (fraction) => progress(0.9 * fraction) })
}

/** Takes the room that was unpacked and checked already. @throws {Refusal} 'content-differs' */
async function takeSmall(
  job: RestoreJob,
  { backup, unpacked, folder, digest }: { backup: RoomBackup; unpacked: string; folder: string; digest: string | null },
): Promise<Compared> {
  for (const name of [systemDatabaseFile, databasesFolder]) await rename(join(unpacked, name), join(folder, name))
  endUnpacking(job, backup)
  return digest === null ? {} : requireExpected(job, digest)
}

/** Unpacks the backup in the sandbox and checks that each file is complete and has the required structure. */
async function unpack(job: RestoreJob, backup: RoomBackup, folder: string): Promise<void> {
  await unpackFiles(job, backup, folder)
  for (const { path, size } of databasesOf(backup, folder))
    await runInSandbox('checkDatabase', { path, thorough: false }, limitsOf(job, size))
  endUnpacking(job, backup)
}

/** From this size of all files on, what can be done at the same time is worth another process. */
const largeBytes = 32 * 1024 * 1024

/** For a large room: the same, and compares the content with what was expected. @throws {Refusal} 'content-differs' */
async function unpackAndCompare(job: RestoreJob, backup: RoomBackup, folder: string): Promise<Compared> {
  const databases = databasesOf(backup, folder)
  if (expectedDigestOf(job) === undefined) {
    await unpack(job, backup, folder)
    return {}
  }
  await unpackFiles(job, backup, folder)
  const inspect = async (signal: AbortSignal) => {
    for (const { path, size } of databases)
      await runInSandbox('inspectDatabase', { path, thorough: false }, { ...limitsOf(job, size), signal })
  }
  let inspecting: Promise<void> | undefined
  const [, compared] = await together(job.signal, [
    (signal) => {
      inspecting = inspect(signal)
      return inspecting
    },
    // That a file is damaged explains more than how its rows could not be read.
    (signal) =>
      compare({ ...job, signal }, folder).catch(async (error: unknown) => {
        await inspecting
        throw error
      }),
  ])
  for (const { path, size } of databases) await runInSandbox('settleInspected', { path }, limitsOf(job, size))
  endUnpacking(job, backup)
  return compared
}

/** Without the checks of databases; system.db is made anew. */
async function unpackFiles(job: RestoreJob, { path, manifest }: RoomBackup, folder: string): Promise<void> {
  const { region, signal, progress } = job
  await runInSandbox(
    'unpackBackup',
    { path, manifest, folder },
    { signal, seconds: region.settings.checkSeconds, progress: (fraction) => progress(0.6 * fraction) },
  )
  const system = manifest.files.find((file) => file.path === systemDatabaseFile)
  if (system === undefined) return
  await runInSandbox('rebuildSystemDatabase', { path: join(folder, system.path) }, limitsOf(job, system.size))
}

function databasesOf({ manifest }: RoomBackup, folder: string): { path: string; size: number }[] {
  const databases = manifest.files.filter(({ path }) => path !== systemDatabaseFile)
  return databases.map(({ path, size }) => ({ path: join(folder, path), size }))
}

function limitsOf({ region, signal }: RestoreJob, bytes: number) {
  return { signal, seconds: secondsFor(bytes, region.settings.checkSeconds) }
}

function endUnpacking({ progress, log }: RestoreJob, { manifest }: RoomBackup): void {
  progress(0.9)
  log(`Unpacked and checked ${manifest.files.length} files.`)
}

function expectedDigestOf({ input }: RestoreJob): string | undefined {
  return input.type === 'restoreRoom' ? input.expectedDigest : undefined
}

/** Filled before the swap. */
interface Compared {
  digest?: string
}

/** The result is the same when the region dies after the swap. */
function telling(job: RestoreJob, compared: Compared): RestoreJob {
  return {
    ...job,
    recordEffect: (effect: PlannedEffect & { result: JobResult<'restoreRoom'> }) =>
      job.recordEffect({ ...effect, result: { ...effect.result, ...compared } }),
  }
}

/** Compares the new content, as it lies in the folder, with what was expected. @throws {Refusal} 'content-differs' */
async function compare(job: RestoreJob, folder: string): Promise<Compared> {
  const { region, signal } = job
  const names = databasesIn(await readdir(join(folder, databasesFolder)))
  const files = {
    system: join(folder, systemDatabaseFile),
    databases: names.map((name) => ({ name, path: databaseIn(folder, name) })),
  }
  return requireExpected(job, await digestInSandbox(files, { signal, checkSeconds: region.settings.checkSeconds }))
}

/** @throws {Refusal} 'content-differs' */
function requireExpected(job: RestoreJob, digest: string): Compared {
  const expected = expectedDigestOf(job)
  if (digest !== expected) throw refuse('content-differs')
  job.log(`Its digest is the one that was expected, ${digest}.`)
  return { digest }
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
  await unpack(job, backup, unpacked)
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

function databaseIn(folder: string, name: string): string {
  return join(folder, databasesFolder, `${name}.db`)
}
