/** The jobs on a single database: backup to an .adb, restore and import from one, deletion. */
import { dirname, join } from 'node:path'
import { exportDatabase } from '#archives/database-export.ts'
import { tellRebuilt } from '#archives/unpack-in-sandbox.ts'
import { mayBeReplaced } from '#databases/may-be-replaced.ts'
import { discard } from '#disk/discard.ts'
import { moveDurably, syncToDisk, withFolders } from '#disk/durable.ts'
import { mkdir, rename, stat, unlink } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { FileStore } from '#files/file-store.ts'
import { sha256OfFile } from '#files/sha256-of-file.ts'
import { wasDoneBefore } from '#jobs/effects.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { findOwnRoom, ownUnlockedRoom } from '#rooms/find-room.ts'
import { recordBackups } from '#rooms/record-backups.ts'
import { listDatabases } from '#rooms/room-info.ts'
import { withSnapshot } from '#rooms/snapshot.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { copyDatabase, settleDatabase } from '#sqlite/copy-database.ts'

export function backupDatabase(files: FileStore): JobKind<'backupDatabase'> {
  return {
    check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
    run: (job) =>
      inWorkFolder(job.region, async (work) => {
        const { id, region, input, signal, log, progress } = job
        findOwnRoom(region, input.room, input.roomId)
        const takenAt = new Date().toISOString()
        const copy = join(work, 'copy.db')
        await withSnapshot(region, input.room, async ({ databases }) => {
          const source = databases.get(input.database)
          if (source === undefined) throw refuse('database-unknown', { database: input.database })
          await copyDatabase(source, copy, signal)
        })
        progress(0.5)
        const file = await files.produce(id, async (path) => {
          await exportDatabase(copy, path, input.password, signal, [region.settings.exportCost, 8, 1])
          return sha256OfFile(path, signal)
        })
        await recordBackups(job, [input.database], takenAt)
        log(`The backup of ${input.database} has ${file.size} bytes.`)
        return file
      }),
  }
}

export function restoreDatabase(files: FileStore): JobKind<'restoreDatabase'> {
  return {
    check: (region, input) => void ownUnlockedRoom(region, input),
    run: (job) =>
      inWorkFolder(job.region, async (work) => {
        const { region, input, log } = job
        const decrypted = await decrypt(job, files, work)
        const database = await runExclusively(region, input.room, undefined, async () => {
          const known = await findDatabase(job)
          const name = known ?? input.database
          const to = region.folders.database(input.room, name)
          if (known === undefined) await removeCompanions(to)
          else closeFile(region, to)
          await job.recordEffect({ from: decrypted, to, result: { database: name } })
          await moveDurably(decrypted, to)
          return name
        })
        log(`The database ${database} is restored.`)
        return { database }
      }),
  }
}

/**
 * Imports any SQLite database. If the room has a database of this name already, that counts as imported when an earlier
 * try imported it (even if users have written to it since), or when its content is the same.
 */
export function importDatabase(files: FileStore): JobKind<'importDatabase'> {
  return {
    check: (region, input) => void ownUnlockedRoom(region, input),
    run: (job) =>
      inWorkFolder(job.region, async (work) => {
        const { region, input, log, signal } = job
        const decrypted = await decrypt(job, files, work)
        await runExclusively(region, input.room, undefined, async () => {
          const known = await findDatabase(job)
          const path = region.folders.database(input.room, known ?? input.database)
          if (known === undefined) {
            await removeCompanions(path)
            await job.recordEffect({ from: decrypted, to: path, result: { database: input.database } })
            await moveDurably(decrypted, path)
          } else if (wasDoneBefore(region.database, input)) log('An earlier try got that far.')
          else if (
            known !== input.database ||
            !(await mayBeReplaced(path, decrypted, {
              signal,
              whenEmpty: false,
              checkSeconds: region.settings.checkSeconds,
            }))
          )
            throw refuse('database-exists', { database: known })
        })
        log(`The database ${input.database} is imported.`)
        return { database: input.database }
      }),
  }
}

export const deleteDatabase: JobKind<'deleteDatabase'> = {
  check: (region, input) => void ownUnlockedRoom(region, input),
  deletes: true,
  run: (job) =>
    inWorkFolder(job.region, async (work) => {
      const { region, input, log } = job
      const existed = await runExclusively(region, input.room, undefined, async () => {
        const known = await findDatabase(job)
        const path = region.folders.database(input.room, known ?? input.database)
        if (known === undefined) return removeCompanions(path).then(() => false)
        region.handles.close(path)
        await withFolders([dirname(path)], async (sync) => {
          await rename(path, join(work, 'deleted.db'))
          await sync()
        })
        await removeCompanions(path).catch((error: unknown) =>
          reportTrouble('The log of a deleted database stays', error),
        )
        return true
      })
      log(existed ? `The database ${input.database} is deleted.` : `There was no database ${input.database}.`)
      return { existed }
    }),
}

async function inWorkFolder<T>(region: Region, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = region.folders.work()
  await mkdir(folder)
  try {
    return await work(folder)
  } finally {
    await discard(folder)
  }
}

type ChangingJob = RunningJob<'restoreDatabase'> | RunningJob<'importDatabase'> | RunningJob<'deleteDatabase'>

/** Decrypts and checks the export in the sandbox, and brings it to disk. @returns the path of the database */
async function decrypt(
  { region, input, signal, progress, log }: RunningJob<'restoreDatabase'> | RunningJob<'importDatabase'>,
  files: FileStore,
  work: string,
): Promise<string> {
  ownUnlockedRoom(region, input)
  const decrypted = join(work, 'decrypted.db')
  const { path: from, size } = await files.contentOf(input.file)
  const { checkSeconds } = region.settings
  const { password } = input
  await runInSandbox(
    'openExport',
    { from, to: decrypted, password },
    { signal, seconds: secondsFor(size, checkSeconds), progress: (fraction) => progress(0.6 * fraction) },
  )
  progress(0.6)
  const seconds = secondsFor((await stat(decrypted)).size, checkSeconds)
  const state = await runInSandbox('checkDatabase', { path: decrypted, thorough: true }, { signal, seconds })
  if (state === 'indexes-damaged') tellRebuilt(log, [input.database])
  await syncToDisk(decrypted)
  progress(0.9)
  return decrypted
}

/**
 * Finds the database, ignoring case. Called under the room's mutex, at the last moment at which the job can be
 * cancelled.
 * @returns the database's name as the room spells it. @throws {Refusal} when the job may not change the room
 */
async function findDatabase({ region, input, signal }: ChangingJob): Promise<string | undefined> {
  signal.throwIfAborted()
  ownUnlockedRoom(region, input)
  const names = await listDatabases(region, input.room)
  return names.find((name) => name.toLowerCase() === input.database.toLowerCase())
}

/** Removes SQLite's companion files of a missing database: SQLite would take them for part of the next one. */
async function removeCompanions(path: string): Promise<void> {
  for (const companion of ['-wal', '-shm', '-journal']) await unlink(`${path}${companion}`)
}

/** Folds SQLite's companion files into the database file: SQLite would take them for part of its successor. */
function closeFile(region: Region, path: string): void {
  region.handles.close(path)
  settleDatabase(path)
}
