/**
 * The job restoreRoom, and the part that all restores share. A room backup replaces the room's content; the databases
 * of a product backup are added to it.
 */
import { join } from 'node:path'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { mayBeReplaced } from '#databases/may-be-replaced.ts'
import { discard } from '#disk/discard.ts'
import { copyFile, link, rename } from '#disk/files.ts'
import type { FileStore } from '#files/file-store.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'
import { listDatabases } from '#rooms/room-info.ts'
import type { RoomRecord } from '#rooms/room-record.ts'
import { type RestoreJob, swapRoom } from '#rooms/swap-room.ts'
import { newestSchemaVersion } from '#rooms/system-database.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { settleDatabase } from '#sqlite/copy-database.ts'
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
export async function restoreFrom(job: RestoreJob, path: string): Promise<{ databases: string[] }> {
  const { region, input, log, signal } = job
  const record = ownUnlockedRoom(region, input)
  const { checkSeconds } = region.settings
  const manifest = await runInSandbox('readManifest', { path }, { signal, seconds: checkSeconds })
  refuseOther(manifest, record)
  log(`The backup of ${manifest.room} was taken at ${manifest.createdAt}.`)
  const backup = { path, manifest }
  const databases =
    manifest.kind === 'product'
      ? await joinDatabases(job, backup)
      : await swapRoom(job, { prepare: (folder) => unpack(job, backup, folder) })
  log(`The project room ${input.room} has the databases ${databases.join(', ')}.`)
  return { databases }
}

function refuseOther(manifest: BackupManifest, record: RoomRecord): void {
  if (manifest.product !== record.product)
    throw refuse('product-differs', { found: manifest.product, expected: record.product })
  if (manifest.schemaVersion > newestSchemaVersion)
    throw refuse('schema-too-new', { found: manifest.schemaVersion, known: newestSchemaVersion })
}

interface RoomBackup {
  path: string
  manifest: BackupManifest
}

/** Unpacks the backup in the sandbox and checks that each file is complete and has the required structure. */
async function unpack(job: RestoreJob, { path: from, manifest }: RoomBackup, folder: string): Promise<void> {
  const { region, signal, progress, log } = job
  const { checkSeconds } = region.settings
  await runInSandbox(
    'unpackBackup',
    { path: from, manifest, folder },
    { signal, seconds: checkSeconds, progress: (fraction) => progress(0.6 * fraction) },
  )
  for (const { path: name, size } of manifest.files) {
    const path = join(folder, name)
    const limits = { signal, seconds: secondsFor(size, checkSeconds) }
    if (name === systemDatabaseFile) await runInSandbox('rebuildSystemDatabase', { path }, limits)
    else await runInSandbox('checkDatabase', { path, thorough: false }, limits)
  }
  progress(0.9)
  log(`Unpacked and checked ${manifest.files.length} files.`)
}

/**
 * The new content is made of hard links to the room's own files, or of copies if the old content is to be kept, and of
 * the databases of the backup. A database of the
 * backup may replace one of the room that has the same name only if that is empty, or equal.
 */
async function joinDatabases(job: RestoreJob, backup: RoomBackup): Promise<string[]> {
  const { region, input, signal } = job
  const { checkSeconds } = region.settings
  const extracted = region.folders.work()
  const take = input.type === 'replaceRoom' ? copyFile : link
  const joining = backup.manifest.files.flatMap(({ path }) => databaseOfPath(path) ?? [])
  try {
    await unpack(job, backup, extracted)
    return await swapRoom(job, {
      prepare: async (folder) => {
        for (const name of joining) await rename(databaseIn(extracted, name), databaseIn(folder, name))
      },
      complete: async (folder) => {
        const room = region.folders.room(input.room)
        settleDatabase(join(room, systemDatabaseFile))
        await take(join(room, systemDatabaseFile), join(folder, systemDatabaseFile))
        for (const name of await listDatabases(region, input.room)) {
          const own = databaseIn(room, name)
          settleDatabase(own)
          const other = joining.find((each) => each.toLowerCase() === name.toLowerCase())
          if (other === undefined) await take(own, databaseIn(folder, name))
          else if (!(await mayBeReplaced(own, databaseIn(folder, other), { signal, whenEmpty: true, checkSeconds })))
            throw refuse('database-exists', { database: name })
        }
      },
    })
  } finally {
    await discard(extracted)
  }
}

function databaseIn(folder: string, name: string): string {
  return join(folder, databasesFolder, `${name}.db`)
}
