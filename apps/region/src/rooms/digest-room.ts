/**
 * The job digestRoom: SHA-256 over the logical content of a room's system.db and databases, so that copies of a room
 * have the same digest on any region. Name, roomId, state, lock, sessions and times of backups are not content. The
 * digest is computed in the sandbox, because a room may be large.
 */
import { join } from 'node:path'
import { discard } from '#disk/discard.ts'
import { mkdir, stat } from '#disk/files.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { copyDatabase } from '#sqlite/copy-database.ts'
import type { ContentFiles } from './digest-content.ts'
import { findOwnRoom } from './find-room.ts'
import { databasesFolder, systemDatabaseFile } from './room-folders.ts'
import { type RoomSnapshot, withSnapshot } from './snapshot.ts'

export const digestRoom: JobKind<'digestRoom'> = {
  check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
  run: async (job) => {
    const { region, input, signal, progress, log } = job
    findOwnRoom(region, input.room, input.roomId)
    const work = region.folders.work()
    try {
      const digest = await withSnapshot(region, input.room, async (snapshot) => {
        const files = await filesOf(job, snapshot, work)
        return digestInSandbox(files, { signal, progress, checkSeconds: region.settings.checkSeconds })
      })
      log(`The digest of ${input.room} is ${digest}.`)
      return { digest }
    } finally {
      await discard(work)
    }
  },
}

interface DigestOptions {
  signal: AbortSignal
  checkSeconds: number
  progress?: (fraction: number) => void
}

/** Hexadecimal. Nothing may change the files meanwhile. @throws {Refusal} those of `runInSandbox` */
export async function digestInSandbox(
  files: ContentFiles,
  { checkSeconds, ...limits }: DigestOptions,
): Promise<string> {
  const seconds = secondsFor(await bytesOf(files), checkSeconds)
  return runInSandbox('digestContent', files, { ...limits, seconds })
}

/** The room's own files, if nothing can change them meanwhile; otherwise copies of what the snapshot sees. */
async function filesOf(
  { signal }: RunningJob<'digestRoom'>,
  { system, systemFile, databases, files }: RoomSnapshot,
  work: string,
): Promise<ContentFiles> {
  const found: { name: string; path: string }[] = []
  const copies = join(work, databasesFolder)
  if (systemFile === null || files.size < databases.size) await mkdir(copies, { recursive: true })
  for (const [name, database] of databases) {
    const path = files.get(name) ?? join(copies, `${name}.db`)
    if (!files.has(name)) await copyDatabase(database, path, signal)
    found.push({ name, path })
  }
  const copyOfSystem = join(work, systemDatabaseFile)
  if (systemFile === null) await copyDatabase(system, copyOfSystem, signal)
  return { system: systemFile ?? copyOfSystem, databases: found }
}

async function bytesOf({ system, databases }: ContentFiles): Promise<number> {
  const paths = [...databases.map(({ path }) => path), ...(system === null ? [] : [system])]
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  return sizes.reduce((total, size) => total + size, 0)
}
