/** Unpacks and checks a backup (.zip) in the sandbox, and digests what it holds: for restores, and for verifyBackup. */
import { join } from 'node:path'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { readdir, stat } from '#disk/files.ts'
import type { Region } from '#region.ts'
import { digestInSandbox } from '#rooms/digest-room.ts'
import { databasesFolder, databasesIn, systemDatabaseFile } from '#rooms/room-folders.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import type { DatabaseState } from '#sqlite/check-database.ts'
import { together } from '#together.ts'
import type { OpenedBackup } from './open-backup.ts'
import { databaseOfPath } from './read-room-backup.ts'

/** The part of a job that unpacking needs, and what is asked of it. */
export interface Unpacking {
  region: Region
  signal: AbortSignal
  log(text: string): void
  progress(fraction: number): void
  /** Also compares every index of a database with its table. */
  thorough: boolean
  /** Also takes the digest of the content. */
  digest: boolean
}

export interface RoomBackup {
  path: string
  manifest: BackupManifest
}

/** `digest`: only if it was to be taken. */
export interface Digested {
  digest?: string
}

/** `rebuilt`: the names of the databases whose damaged indexes were built anew. */
export interface Unpacked extends Digested {
  rebuilt: string[]
}

/** One task for a small room: handing over several of them takes about as long as their work. */
export async function openBackup(
  { region, signal, progress, log, digest, thorough }: Unpacking,
  { path, folder, product }: { path: string; folder: string; product: string | undefined },
): Promise<OpenedBackup> {
  const seconds = secondsFor((await stat(path)).size, region.settings.checkSeconds)
  const task = { path, folder, product, digest, thorough, smallBelowBytes: largeBytes }
  const limits = { signal, seconds, progress: (fraction: number) => progress(0.9 * fraction) }
  const opened = await runInSandbox('openBackup', task, limits)
  log(`The backup of ${opened.manifest.room} was taken at ${opened.manifest.createdAt}.`)
  return opened
}

/** Checks that each file is complete and has the required structure. */
export async function unpack(unpacking: Unpacking, backup: RoomBackup, folder: string): Promise<Unpacked> {
  const { thorough } = unpacking
  await unpackFiles(unpacking, backup, folder)
  const rebuilt: string[] = []
  for (const { name, path, size } of databasesOf(backup, folder)) {
    const state = await runInSandbox('checkDatabase', { path, thorough }, limitsOf(unpacking, size))
    if (state === 'indexes-damaged') rebuilt.push(name)
  }
  endUnpacking(unpacking, backup, rebuilt)
  return { rebuilt }
}

/** From this size of all files on, what can be done at the same time is worth another process. */
const largeBytes = 32 * 1024 * 1024

/** For a large room: the same, and takes the digest of the content if it is asked for. */
export async function unpackAndDigest(unpacking: Unpacking, backup: RoomBackup, folder: string): Promise<Unpacked> {
  const { thorough } = unpacking
  const databases = databasesOf(backup, folder)
  if (!unpacking.digest) return unpack(unpacking, backup, folder)
  await unpackFiles(unpacking, backup, folder)
  const states = new Map<string, DatabaseState>()
  const inspect = async (signal: AbortSignal) => {
    for (const { name, path, size } of databases)
      states.set(
        name,
        await runInSandbox('inspectDatabase', { path, thorough }, { ...limitsOf(unpacking, size), signal }),
      )
  }
  let inspecting: Promise<void> | undefined
  const [, digested] = await together(unpacking.signal, [
    (signal) => {
      inspecting = inspect(signal)
      return inspecting
    },
    // That a file is damaged explains more than how its rows could not be read.
    (signal) =>
      digestFolder({ ...unpacking, signal }, backup, folder).catch(async (error: unknown) => {
        await inspecting
        throw error
      }),
  ])
  for (const { name, path, size } of databases) {
    const state = states.get(name) ?? 'sound'
    await runInSandbox('settleInspected', { path, state }, limitsOf(unpacking, size))
  }
  const rebuilt = [...states].flatMap(([name, state]) => (state === 'indexes-damaged' ? [name] : []))
  endUnpacking(unpacking, backup, rebuilt)
  // Rows may have been read by way of a damaged index.
  const found = rebuilt.length === 0 ? digested : await digestFolder(unpacking, backup, folder)
  return { ...found, rebuilt }
}

/** Without the checks of databases; system.db is made anew. */
async function unpackFiles(unpacking: Unpacking, { path, manifest }: RoomBackup, folder: string): Promise<void> {
  const { region, signal, progress } = unpacking
  await runInSandbox(
    'unpackBackup',
    { path, manifest, folder },
    { signal, seconds: region.settings.checkSeconds, progress: (fraction) => progress(0.6 * fraction) },
  )
  const system = manifest.files.find((file) => file.path === systemDatabaseFile)
  if (system === undefined) return
  await runInSandbox('rebuildSystemDatabase', { path: join(folder, system.path) }, limitsOf(unpacking, system.size))
}

function databasesOf({ manifest }: RoomBackup, folder: string): { name: string; path: string; size: number }[] {
  return manifest.files.flatMap(({ path, size }) => {
    const name = databaseOfPath(path)
    return name === undefined ? [] : [{ name, path: join(folder, path), size }]
  })
}

function limitsOf({ region, signal }: Unpacking, bytes: number) {
  return { signal, seconds: secondsFor(bytes, region.settings.checkSeconds) }
}

export function endUnpacking({ progress, log }: Unpacking, { manifest }: RoomBackup, rebuilt: string[]): void {
  progress(0.9)
  log(`Unpacked and checked ${manifest.files.length} files.`)
  tellRebuilt(log, rebuilt)
}

/** Logs every change to a file from outside. */
export function tellRebuilt(log: (text: string) => void, databases: string[]): void {
  for (const name of databases)
    log(`Indexes of the database ${name} did not agree with its rows: they were built anew, and no row was changed.`)
}

/** The digest of the new content, as it lies in the folder. */
async function digestFolder(unpacking: Unpacking, { manifest }: RoomBackup, folder: string): Promise<Digested> {
  const { region, signal } = unpacking
  const names = databasesIn(await readdir(join(folder, databasesFolder)))
  const files = {
    system: manifest.kind === 'room' ? join(folder, systemDatabaseFile) : null,
    databases: names.map((name) => ({ name, path: databaseIn(folder, name) })),
  }
  const digest = await digestInSandbox(files, { signal, checkSeconds: region.settings.checkSeconds })
  return logged(unpacking, digest)
}

export function logged({ log }: Unpacking, digest: string): Digested {
  log(`Its digest is ${digest}.`)
  return { digest }
}

export function databaseIn(folder: string, name: string): string {
  return join(folder, databasesFolder, `${name}.db`)
}
