/** Reads a room backup (.zip) that came from outside: nothing in it is trusted before it was checked. */
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  type BackupManifest,
  bytesBehindZip,
  databaseName,
  endOfZipBytes,
  manifestFile,
  nameOfEntry,
  parseManifest,
  pathsInBackup,
  unreadableMethod,
  wrongFieldOfManifest,
} from '@roomkeeper/region-protocol'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { mkdir, openToRead, type ReadableFile, readStream, stat } from '#disk/files.ts'
import { refuseWithoutSpace, refusingWhenFull } from '#disk/free-space.ts'
import { borrowPieces } from '#files/borrowed-pieces.ts'
import { readPieces } from '#files/read-pieces.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import { Refusal, refuse } from '#refusals.ts'
import { databasesFolder, systemDatabaseFile } from '#rooms/room-folders.ts'

const manifestBytesAtMost = 8 * 1024 * 1024
/** A manifest lists at most 10,000 files. */
const entriesAtMost = 10_100
const expansionAtMost = 1000
/** Bytes of an entry's name, comment and additional fields. Every four bytes of fields can become an object. */
const entryBytesAtMost = 4096

export interface RoomBackup {
  manifest: BackupManifest
  /** Writes the files into the folder and checks each against the manifest. @throws {Refusal} */
  extract(folder: string, progress: (fraction: number) => void): Promise<void>
}

/** @throws {Refusal} 'wrong-content', 'damaged-file' */
export async function withRoomBackup<T>(path: string, work: (backup: RoomBackup) => Promise<T>): Promise<T> {
  const { size } = await stat(path)
  const zip = await openZip(path, size).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const entries = await readEntries(zip, size)
    const manifest = await readManifest(zip, entries)
    refuseOtherFiles(manifest, entries)
    return await work({
      manifest,
      extract: (folder, progress) => extract({ path, zip, entries, manifest }, folder, progress),
    })
  } finally {
    zip.close()
  }
}

/** Without the bytes that may lie behind its end. */
async function openZip(path: string, size: number): Promise<ZipFile> {
  const reader = new FileReader(path, await openToRead(path))
  try {
    const tail = Buffer.alloc(Math.min(endOfZipBytes, size))
    await reader.file.readAt(tail, size - tail.length)
    const options = { autoClose: false, strictFileNames: true, validateEntrySizes: true }
    return await yauzl.fromRandomAccessReaderPromise(reader, size - bytesBehindZip(tail), options)
  } catch (error) {
    await reader.file.close()
    throw error
  }
}

class FileReader extends yauzl.RandomAccessReader {
  readonly file: ReadableFile
  readonly #path: string

  constructor(path: string, file: ReadableFile) {
    super()
    this.#path = path
    this.file = file
  }

  override read(into: Buffer, offset: number, length: number, position: number, done: ReadDone): void {
    this.file.readAt(into.subarray(offset, offset + length), position).then((bytes) => done(null, bytes), done)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return readStream(this.#path, { start, end: end - 1, highWaterMark: 1 << 16 })
  }

  override close(done: (error: Error | null) => void): void {
    // yauzl would emit a failure where it ends the process; closing a file that was only read can lose nothing.
    const closed = () => done(null)
    void this.file.close().then(closed, closed)
  }
}

type ReadDone = (error: Error | null, bytesRead?: number) => void

/** The entries of the backup's files by their paths in it. Refuses entries that a backup never has. */
async function readEntries(zip: ZipFile, size: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > entriesAtMost) throw refuse('wrong-content', { reason: 'it has too many files.' })
  const entries = new Map<string, Entry>()
  let packed = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > entryBytesAtMost)
        throw refuse('wrong-content', { reason: 'its entries say too much.' })
      const name = nameOfEntry(entry, (flags) =>
        yauzl.getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true),
      )
      if (entries.has(name)) throw refuse('wrong-content', { reason: 'a name is in it twice.' })
      if (entry.isEncrypted()) throw refuse('wrong-content', { reason: `${name} is encrypted.` })
      if (isLink(entry)) throw refuse('wrong-content', { reason: 'it holds a link.' })
      if (entry.uncompressedSize > expansionAtMost * Math.max(entry.compressedSize, 1))
        throw refuse('wrong-content', { reason: 'it would grow too much.' })
      packed += entry.compressedSize
      const method = unreadableMethod(entry.compressionMethod)
      if (method !== null)
        throw refuse('wrong-content', {
          reason: `${name} is packed with a compression that is not supported (${method}).`,
        })
      entries.set(name, withoutMore(entry))
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unreadable(error)
  }
  // Overlapping entries could unpack to far more than the archive holds.
  if (packed > size) throw refuse('wrong-content', { reason: 'its files lie over each other.' })
  const named = (name: string) => entries.get(name) as Entry
  return new Map([...pathsInBackup(entries.keys())].map(([name, path]) => [path, named(name)]))
}

/** Drops the fields that we do not need: they can take a thousand times as much memory as the rest. */
function withoutMore(entry: Entry): Entry {
  const none = Buffer.alloc(0)
  return Object.assign(entry, { extraFields: [], extraFieldRaw: none, fileNameRaw: none, fileCommentRaw: none })
}

async function readManifest(zip: ZipFile, entries: Map<string, Entry>): Promise<BackupManifest> {
  const entry = entries.get(manifestFile)
  if (entry === undefined || entry.uncompressedSize > manifestBytesAtMost)
    throw refuse('wrong-content', { reason: 'it has no manifest.' })
  const content = await text(await openEntry(zip, entry)).catch((error: unknown) => {
    throw unreadable(error)
  })
  const manifest = parseManifest(content)
  if (manifest === null) {
    const field = wrongFieldOfManifest(content)
    const what = field === null ? 'it is not that of a project room' : `${field} is missing or wrong`
    throw refuse('wrong-content', { reason: `manifest.json: ${what}.` })
  }
  return manifest
}

/** Refuses files that the manifest does not list, listed files that are missing, and names that no room's file has. */
function refuseOtherFiles(manifest: BackupManifest, entries: Map<string, Entry>): void {
  const listed = new Set(manifest.files.map(({ path }) => path))
  const names = manifest.files.flatMap(({ path }) => databaseOfPath(path) ?? [])
  const expected = manifest.kind === 'room' ? names.length + 1 : names.length
  if (
    listed.size !== manifest.files.length ||
    listed.size !== expected ||
    listed.has(systemDatabaseFile) !== (manifest.kind === 'room') ||
    new Set(names.map((name) => name.toLowerCase())).size !== names.length
  )
    throw refuse('wrong-content', { reason: 'its manifest lists other files than those of a project room.' })
  for (const path of listed)
    if (!entries.has(path)) throw refuse('wrong-content', { reason: `${path} is listed in its manifest but missing.` })
  for (const path of entries.keys())
    if (path !== manifestFile && !listed.has(path))
      throw refuse('wrong-content', { reason: `${path} is not listed in its manifest.` })
}

/** The name of the database at `databases/<name>.db`. */
export function databaseOfPath(path: string): string | undefined {
  if (!path.startsWith(`${databasesFolder}/`) || !path.endsWith('.db')) return undefined
  const name = path.slice(databasesFolder.length + 1, -'.db'.length)
  return databaseName.safeParse(name).data === name ? name : undefined
}

interface Archive {
  path: string
  zip: ZipFile
  entries: Map<string, Entry>
}

/** Never fires: a caller stops this work by ending its process. */
const never = new AbortController().signal

async function extract(
  { manifest, ...archive }: Archive & { manifest: BackupManifest },
  folder: string,
  progress: (fraction: number) => void,
): Promise<void> {
  await mkdir(join(folder, databasesFolder), { recursive: true })
  const bytes = [...archive.entries.values()].reduce((total, entry) => total + entry.uncompressedSize, 0)
  await refuseWithoutSpace(folder, bytes)
  let done = 0
  const pieces = borrowPieces()
  for (const { path, size, sha256 } of manifest.files) {
    const entry = archive.entries.get(path)
    if (entry === undefined) throw refuse('wrong-content', { reason: `${path} is missing.` })
    const to = join(folder, path)
    const report = (unpacked: number) => progress((done + unpacked / (size + 1)) / manifest.files.length)
    const content = isStored(entry) ? storedContent(archive, entry, pieces.piece) : inflatedContent(archive, entry)
    const found = await writeHashed(refusingWhenFull(content, dirname(to)), to, never, report, size)
    if (found.size !== size || found.sha256 !== sha256)
      throw refuse('damaged-file', { reason: `${path} is not the one of the manifest.` })
    done += 1
    progress(done / manifest.files.length)
    pieces.giveBack()
  }
}

function isStored(entry: Entry): boolean {
  return entry.compressionMethod === 0 && entry.compressedSize === entry.uncompressedSize
}

/** Read from the file itself, in large pieces: these are databases of up to gigabytes. */
async function* storedContent(
  { path, zip }: Archive,
  entry: Entry,
  memory: (bytes: number) => Buffer,
): AsyncGenerator<Buffer> {
  const { fileDataStart: start } = await zip
    .readLocalFileHeaderPromise(entry, { minimal: true })
    .catch((error: unknown) => {
      throw unreadable(error)
    })
  const file = await openToRead(path)
  try {
    yield* readPieces(file.readAt, start, start + entry.compressedSize, memory)
  } finally {
    await file.close()
  }
}

async function* inflatedContent({ zip }: Archive, entry: Entry): AsyncGenerator<Buffer> {
  const content = await openEntry(zip, entry)
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw unreadable(error)
  }
}

async function openEntry(zip: ZipFile, entry: Entry) {
  const content = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
    throw unreadable(error)
  })
  // yauzl emits an error once and leaves the stream open: a reader that starts later would wait for ever.
  content.on('error', (error: Error) => content.destroy(error))
  return content
}

function unreadable(error: unknown): unknown {
  return isDiskError(error) ? error : refuse('damaged-file', { reason: 'it is not a .zip that can be read.' })
}

function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function isLink(entry: Entry): boolean {
  const mode = entry.externalFileAttributes >>> 16
  return (mode & 0o170000) === 0o120000
}
