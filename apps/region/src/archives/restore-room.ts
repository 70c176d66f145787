/** The job restoreRoom, and what every restore does: a room backup replaces the room's content, a product backup's databases join it. */
import { join } from 'node:path'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { givesWay } from '#databases/gives-way.ts'
import { removeTree } from '#disk/durable.ts'
import { link, rename } from '#disk/files.ts'
import type { FileStore } from '#files/file-store.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'
import { listDatabases } from '#rooms/room-info.ts'
import type { RoomRecord } from '#rooms/room-record.ts'
import { swapRoom } from '#rooms/swap-room.ts'
import { newestSchemaVersion, systemTables } from '#rooms/system-database.ts'
import { checkDatabase, settleDatabase } from '#sqlite/copy-database.ts'
import { databaseOfPath, type RoomBackup, withRoomBackup } from './read-room-backup.ts'

export type RestoreJob = RunningJob<'restoreRoom'> | RunningJob<'restoreFromObjectStore'>

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

/** Puts the backup at this path into the room. @throws {Refusal} when it is none, or of another product */
export async function restoreFrom(job: RestoreJob, path: string): Promise<{ databases: string[] }> {
  const { region, input, say } = job
  const record = ownUnlockedRoom(region, input)
  await withRoomBackup(path, async (backup) => {
    refuseOther(backup.manifest, record)
    say(`The backup of ${backup.manifest.room} was taken at ${backup.manifest.createdAt}.`)
    if (backup.manifest.kind === 'room') await swapRoom(job, { prepare: (folder) => unpack(job, backup, folder) })
    else await joinDatabases(job, backup)
  })
  const databases = await listDatabases(region, input.room)
  say(`The project room ${input.room} has the databases ${databases.join(', ')}.`)
  return { databases }
}

function refuseOther(manifest: BackupManifest, record: RoomRecord): void {
  if (manifest.product !== record.product)
    throw refuse('product-differs', { found: manifest.product, expected: record.product })
  if (manifest.schemaVersion > newestSchemaVersion)
    throw refuse('schema-too-new', { found: manifest.schemaVersion, known: newestSchemaVersion })
}

/** The files of the backup, each whole and of the structure it must have. */
async function unpack({ signal, progress, say }: RestoreJob, backup: RoomBackup, folder: string): Promise<void> {
  await backup.extract(folder, signal, (fraction) => progress(0.6 * fraction))
  for (const { path } of backup.manifest.files)
    await checkDatabase(join(folder, path), path === systemDatabaseFile ? { tables: systemTables } : {}, signal)
  progress(0.9)
  say(`Unpacked and checked ${backup.manifest.files.length} files.`)
}

/**
 * The new content is the room's own files, linked, and the databases of the backup.
 * A database of the room that is empty, or equal to the one of the backup, gives way to it.
 */
async function joinDatabases(job: RestoreJob, backup: RoomBackup): Promise<void> {
  const { region, input } = job
  const extracted = region.folders.work()
  const joining = backup.manifest.files.flatMap(({ path }) => databaseOfPath(path) ?? [])
  try {
    await unpack(job, backup, extracted)
    await swapRoom(job, {
      prepare: async (folder) => {
        for (const name of joining) await rename(databaseIn(extracted, name), databaseIn(folder, name))
      },
      complete: async (folder) => {
        const room = region.folders.room(input.room)
        settleDatabase(join(room, systemDatabaseFile))
        await link(join(room, systemDatabaseFile), join(folder, systemDatabaseFile))
        for (const name of await listDatabases(region, input.room)) {
          const own = databaseIn(room, name)
          settleDatabase(own)
          const other = joining.find((each) => each.toLowerCase() === name.toLowerCase())
          if (other === undefined) await link(own, databaseIn(folder, name))
          else if (!(await givesWay(own, databaseIn(folder, other), { signal: job.signal, whenEmpty: true })))
            throw refuse('database-exists', { database: name })
        }
      },
    })
  } finally {
    await removeTree(extracted)
  }
}

function databaseIn(folder: string, name: string): string {
  return join(folder, databasesFolder, `${name}.db`)
}
