/**
 * Packs a room into a .zip, streamed from a consistent snapshot while the room is in use. The manifest is the last
 * entry, because it holds the digests of the others.
 */
import { basename, join } from 'node:path'
import { type BackupManifest, manifestFile } from '@roomkeeper/region-protocol'
import { discard } from '#disk/discard.ts'
import { mkdir, readStream, stat } from '#disk/files.ts'
import { hashing, newSum } from '#files/sha256-of-file.ts'
import type { RunningJob } from '#jobs/job-kind.ts'
import { digestInSandbox } from '#rooms/digest-room.ts'
import { findOwnRoom } from '#rooms/find-room.ts'
import { localTables } from '#rooms/local-tables.ts'
import { recordBackups } from '#rooms/record-backups.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'
import type { RoomRecord } from '#rooms/room-record.ts'
import { readSettings } from '#rooms/room-settings.ts'
import { type RoomSnapshot, withSnapshot } from '#rooms/snapshot.ts'
import { schemaVersionOf } from '#rooms/system-database.ts'
import { copyDatabase } from '#sqlite/copy-database.ts'
import { together } from '#together.ts'
import { storedZip, type ZipContent } from './stored-zip.ts'

type PackingJob = RunningJob<'backupRoom'> | RunningJob<'backupToObjectStore'>

export interface Packing {
  kind: BackupManifest['kind']
  /** Also take the digest of a whole room. */
  digest?: true | undefined
}

export interface PackedRoom {
  /** A chunk is valid until the second one after it is asked for. */
  content: AsyncIterable<Buffer>
  /** An estimate of the content's length. */
  expectedBytes: number
  /** Aborted with the job, and when what is done at the same time has failed. */
  signal: AbortSignal
}

/**
 * @param receive stores the archive; afterwards, the time of the backup is recorded in the room
 * @returns what `receive` returned, with the digest if it was asked for
 */
export async function packRoom<T>(
  job: PackingJob,
  { kind, digest }: Packing,
  receive: (packed: PackedRoom) => Promise<T>,
): Promise<T & { digest?: string }> {
  const { region, input, log, progress } = job
  const record = findOwnRoom(region, input.room, input.roomId)
  const work = region.folders.work()
  try {
    await mkdir(join(work, databasesFolder), { recursive: true })
    const takenAt = new Date().toISOString()
    return await withSnapshot(region, input.room, async (snapshot) => {
      const files = await filesOf(job, snapshot, work, kind)
      log(`The backup will have ${files.length} files.`)
      progress(0.3)
      const sizes = await Promise.all(files.map(async ({ from }) => (await stat(from)).size))
      const content = storedZip(entriesOf(snapshot, files, manifestOf(record, snapshot, kind)))
      const expectedBytes = sizes.reduce((total, size) => total + size, 0)
      const isDigested = digest === true && kind === 'room'
      const [result, found] = await together(job.signal, [
        (signal) => receive({ content, expectedBytes, signal }),
        async (signal) => (isDigested ? { digest: await digestOf(job, files, signal) } : {}),
      ])
      await recordBackups(job, [...snapshot.databases.keys()], takenAt)
      return { ...result, ...found }
    })
  } finally {
    await discard(work)
  }
}

interface FileToPack {
  /** Its path in the archive. */
  path: string
  /** Its path on disk. */
  from: string
}

/** The files of the snapshot. A database whose content is not all in its file is copied into the work folder. */
async function filesOf(
  { signal, progress }: PackingJob,
  { system, databases, files }: RoomSnapshot,
  work: string,
  kind: BackupManifest['kind'],
): Promise<FileToPack[]> {
  const found: FileToPack[] = []
  if (kind === 'room') {
    const copy = join(work, systemDatabaseFile)
    await copyDatabase(system, copy, signal, (cleaned) => {
      for (const table of localTables) cleaned.exec(`DELETE FROM ${table}`)
    })
    found.push({ path: systemDatabaseFile, from: copy })
  }
  for (const [name, database] of databases) {
    const path = join(databasesFolder, `${name}.db`)
    const from = files.get(name) ?? join(work, path)
    if (!files.has(name)) await copyDatabase(database, from, signal)
    found.push({ path, from })
    progress((0.3 * found.length) / (databases.size + 1))
  }
  return found
}

/** The digest of what is packed. It is taken in the sandbox, of the same files, while they are being read here. */
async function digestOf({ region, log }: PackingJob, files: FileToPack[], signal: AbortSignal): Promise<string> {
  const [system, ...databases] = files.map(({ path, from }) => ({ name: basename(path, '.db'), path: from }))
  const digest = await digestInSandbox(
    { system: system?.path ?? null, databases },
    { signal, checkSeconds: region.settings.checkSeconds },
  )
  log(`The digest of what is packed is ${digest}.`)
  return digest
}

function manifestOf(record: RoomRecord, { system }: RoomSnapshot, kind: BackupManifest['kind']): BackupManifest {
  const { name: room, product, edition } = record
  const createdAt = new Date().toISOString()
  const schemaVersion = schemaVersionOf(system)
  return { format: 1, kind, createdAt, room, product, edition, schemaVersion, ...readSettings(system), files: [] }
}

async function* entriesOf(
  snapshot: RoomSnapshot,
  toPack: FileToPack[],
  manifest: BackupManifest,
): AsyncGenerator<ZipContent> {
  const live = new Set(snapshot.files.values())
  const files: BackupManifest['files'] = []
  for (const { path, from } of toPack) {
    const sum = newSum()
    const content = live.has(from) ? snapshot.read(from) : readStream(from, { highWaterMark: 1 << 20 })
    yield { name: path, content: hashing(content, sum) }
    files.push({ path, ...sum.result() })
  }
  yield { name: manifestFile, content: [Buffer.from(JSON.stringify({ ...manifest, files }, null, 2))] }
}
