/**
 * Reads what a backup (.zip) contains from its central directory and its manifest. The file comes from outside, so
 * nothing in it is trusted. `compareFiles` also reads the files in it; the region does that again when it restores the
 * backup.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { BackupContents } from '@roomkeeper/contract'
import {
  type BackupManifest,
  bytesBehindZip,
  databaseName,
  endOfZipBytes,
  manifestFile,
  mayBeManifest,
  nameOfEntry,
  parseManifest,
  pathsInBackup,
  unreadableMethod,
  wrongFieldOfManifest,
} from '@roomkeeper/region-protocol'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import type { FileStore } from '#platform/file-store.ts'
import { Refusal, refuse, refuseFile } from '#platform/refuse.ts'
import { inUnits } from '#platform/units-of-bytes.ts'
import type { PassedFiles } from './passed-files.ts'

/** A source of bytes, such as a stored file, that can be read in any range. */
export interface ByteSource {
  /** In bytes. */
  size: number
  /** `start` and `end` are both inclusive. */
  open(range: { start: number; end: number }): Promise<Readable>
}

export function storedFile(store: FileStore, file: { storeKey: string; size: number }): ByteSource {
  return { size: file.size, open: (range) => store.open(file.storeKey, range) }
}

export interface InspectedBackup {
  manifest: BackupManifest
  /** The paths in the backup, by the names of the entries. */
  paths: ReadonlyMap<string, string>
  contents: BackupContents
}

const manifestBytesAtMost = 8 * 1024 * 1024
/** A manifest lists at most 10,000 files. */
const entriesAtMost = 10_100
const expansionAtMost = 1000
/**
 * Limits the reading of every file, because a small .zip of zeros must not keep a server busy for hours. Databases with
 * many empty pages pack several hundred to one, so how well a backup packs says nothing. What counts are the sizes that
 * its manifest declares, because no file can have more than that: as much is read as could have been uploaded unpacked,
 * as regions make their backups.
 */
const alwaysCompared = { bytes: 1024 ** 3, expansion: 50 }
/** Limits an entry's name, comment and extra fields together, because every four bytes can become an object. */
const entryBytesAtMost = 4096
const systemDatabase = 'system.db'

/**
 * @throws Refusal `wrong-file` if the file is not a complete .zip, `no-upload-content` if the .zip is empty,
 * `wrong-file-content` if it is not a backup of a project room
 */
export function inspectBackup(source: ByteSource): Promise<InspectedBackup> {
  return readZip(source, (zip) => inspectZip(zip, source.size))
}

/**
 * Compares the SHA-256 of every file of an inspected backup with the manifest's; what has not been digested while the
 * backup arrived is read as a stream.
 * @param uploadBytes how large an upload may be, which is what the files may have together
 * @param signal ends the reading with an error
 * @param passed what was found while the same bytes arrived
 * @throws Refusal `unpacks-too-large`; `wrong-file-content` if a file differs; `wrong-file` if one cannot be unpacked
 */
export async function compareFiles(
  source: ByteSource,
  { manifest, paths }: Pick<InspectedBackup, 'manifest' | 'paths'>,
  uploadBytes: number,
  signal: AbortSignal,
  passed: PassedFiles = new Map(),
): Promise<void> {
  const unpacked = manifest.files.reduce((sum, { size }) => sum + size, 0)
  const most = Math.max(uploadBytes, alwaysCompared.bytes, alwaysCompared.expansion * source.size)
  if (unpacked > most) throw refuse('unpacks-too-large', { size: inUnits(unpacked), limit: inUnits(most) })
  const expected = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]))
  return readZip(
    source,
    async (zip) => {
      for await (const entry of zip.eachEntry()) {
        const name = nameOf(entry)
        const path = paths.get(name) ?? ''
        const sha256 = expected.get(path)
        if (sha256 === undefined) continue
        const found = digestThatPassed(entry, passed) ?? (await sha256Of(zip, entry, signal))
        if (found !== sha256) throw refuseFile('wrong-file-content', 'backup-file-differs', { file: path })
      }
    },
    signal,
  )
}

/**
 * The digest of exactly the bytes that `sha256Of` would read: they follow this entry's local header, are not packed, and
 * are as many as the central directory says.
 */
function digestThatPassed(entry: Entry, passed: PassedFiles): string | undefined {
  const found = passed.get(entry.relativeOffsetOfLocalHeader)
  const isStored = entry.compressionMethod === 0 && !entry.isEncrypted()
  if (found === undefined || !isStored) return undefined
  return entry.compressedSize === found.size && entry.uncompressedSize === found.size ? found.sha256 : undefined
}

async function sha256Of(zip: ZipFile, entry: Entry, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of await zip.openReadStreamPromise(entry)) {
    signal.throwIfAborted()
    hash.update(bytes as Uint8Array)
  }
  return hash.digest('hex')
}

async function readZip<T>(source: ByteSource, read: (zip: ZipFile) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const reader = new SourceReader(source)
  try {
    const size = source.size - bytesBehindZip(await reader.tail(endOfZipBytes))
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, size, {
      autoClose: false,
      // The names are decoded and checked below, to distinguish bad names from a damaged file.
      decodeStrings: false,
    })
    try {
      return await read(zip)
    } finally {
      zip.close()
    }
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure
    // The caller has stopped waiting, which says nothing about the file.
    signal?.throwIfAborted()
    throw error instanceof Refusal ? error : refuseFile('wrong-file', 'zip-damaged')
  }
}

async function inspectZip(zip: ZipFile, size: number): Promise<InspectedBackup> {
  const entries = await readEntries(zip, size)
  const manifest = await readManifest(zip, entries)
  const databases = databasesOf(manifest)
  const paths = pathsInBackup(entries.sizes.keys())
  refuseOtherFiles(manifest, entries, paths)
  if (manifest.files.length === 0) throw refuse('no-upload-content')
  const { kind, room: roomName, product, edition, createdAt } = manifest
  return { manifest, paths, contents: { kind, roomName, product, edition, createdAt, databases, size } }
}

interface Entries {
  /** The uncompressed size of each file by name. Keeping whole entries could take a thousand times the memory. */
  sizes: Map<string, number>
  manifest: Entry | undefined
}

/** @throws Refusal if the .zip has an entry that a backup never has */
async function readEntries(zip: ZipFile, size: number): Promise<Entries> {
  if (zip.entryCount > entriesAtMost) throw refuseFile('wrong-file-content', 'zip-entries-too-many')
  const sizes = new Map<string, number>()
  let manifest: Entry | undefined
  let packed = 0
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    if (isOversized(entry))
      throw refuseFile('wrong-file-content', 'zip-entry-oversized', { file: `#${sizes.size + 1}` })
    const name = nameOf(entry)
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    refuseStrange(entry, name)
    if (sizes.has(name)) throw refuseFile('wrong-file-content', 'zip-name-twice', { file: name })
    if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > size) throw refuseFile('wrong-file', 'zip-damaged')
    if (!name.endsWith('/')) sizes.set(name, entry.uncompressedSize)
    if (name === manifestFile || (manifest === undefined && mayBeManifest(name))) manifest = entry
  }
  // Overlapping files can expand to more in total than the limit for each file allows.
  if (packed > size || unpacked > expansionAtMost * size) throw refuseFile('wrong-file-content', 'zip-grows')
  if (sizes.size === 0) throw refuse('no-upload-content')
  return { sizes, manifest }
}

/** @throws Refusal for what no backup has */
function refuseStrange(entry: Entry, file: string): void {
  if (entry.isEncrypted()) throw refuseFile('wrong-file-content', 'zip-encrypted', { file })
  const method = unreadableMethod(entry.compressionMethod)
  if (method !== null) throw refuseFile('wrong-file-content', 'zip-method', { file, method })
  if (isLink(entry)) throw refuseFile('wrong-file-content', 'zip-link', { file })
  if (entry.uncompressedSize > expansionAtMost * Math.max(entry.compressedSize, 1))
    throw refuseFile('wrong-file-content', 'zip-grows')
}

function isOversized(entry: Entry): boolean {
  return entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > entryBytesAtMost
}

/** @throws Refusal for absolute paths, `..` and backslashes */
function nameOf(entry: Entry): string {
  let name = ''
  try {
    name = nameOfEntry(entry, (flags) => yauzl.getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true))
    if (yauzl.validateFileName(name) === null) return name
  } catch {
    // The name is refused below.
  }
  throw refuseFile('wrong-file-content', 'zip-name', { file: name })
}

function isLink(entry: Entry): boolean {
  const mode = entry.externalFileAttributes >>> 16
  return (mode & 0o170000) === 0o120000
}

async function readManifest(zip: ZipFile, { manifest: entry }: Entries): Promise<BackupManifest> {
  if (entry === undefined) throw refuseFile('wrong-file-content', 'manifest-missing')
  if (entry.uncompressedSize > manifestBytesAtMost) throw refuseFile('wrong-file-content', 'manifest-unreadable')
  const content = await text(await zip.openReadStreamPromise(entry))
  const manifest = parseManifest(content)
  if (manifest !== null) return manifest
  const name = wrongFieldOfManifest(content)
  throw name === null
    ? refuseFile('wrong-file-content', 'manifest-unreadable')
    : refuseFile('wrong-file-content', 'manifest-wrong', { name })
}

/** The names of the databases. @throws Refusal if the manifest lists files that a project room does not have */
function databasesOf(manifest: BackupManifest): string[] {
  const databases = manifest.files.flatMap(({ path }) => databaseAt(path) ?? [])
  const system = manifest.files.filter(({ path }) => path === systemDatabase).length
  const others = manifest.files.length - databases.length - system
  const distinct = new Set(databases.map((name) => name.toLowerCase())).size
  if (others !== 0 || system !== (manifest.kind === 'room' ? 1 : 0) || distinct !== databases.length)
    throw refuseFile('wrong-file-content', 'manifest-files')
  return databases.sort()
}

function databaseAt(path: string): string | undefined {
  const name = /^databases\/(.+)\.db$/.exec(path)?.[1]
  return name !== undefined && databaseName.safeParse(name).data === name ? name : undefined
}

/** @throws Refusal unless the .zip contains exactly the files of the manifest, with the same sizes */
function refuseOtherFiles({ files }: BackupManifest, { sizes }: Entries, paths: ReadonlyMap<string, string>): void {
  const found = new Map([...paths].map(([name, path]) => [path, sizes.get(name)]))
  if (!found.has(manifestFile)) throw refuseFile('wrong-file-content', 'manifest-missing')
  for (const { path: file, size } of files) {
    if (!found.has(file)) throw refuseFile('wrong-file-content', 'backup-file-absent', { file })
    if (found.get(file) !== size) throw refuseFile('wrong-file-content', 'backup-file-differs', { file })
  }
  const listed = new Set([manifestFile, ...files.map(({ path }) => path)])
  for (const file of found.keys())
    if (!listed.has(file)) throw refuseFile('wrong-file-content', 'backup-file-unlisted', { file })
}

const windowBytes = 256 * 1024

/** For yauzl, which reads a few bytes at a time. A buffered window keeps the number of requests to the store low. */
class SourceReader extends yauzl.RandomAccessReader {
  /** The error, if the source itself could not be read. Then the archive is not to blame. */
  failure: unknown
  readonly #source: ByteSource
  #window = { start: 0, bytes: Buffer.alloc(0) }

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  override read(into: Buffer, offset: number, length: number, position: number, done: ReadDone): void {
    this.#bytesAt(position, length).then(
      (bytes) => done(null, bytes.copy(into, offset)),
      (error: Error) => done(error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end))
  }

  /** At most so many bytes from the end. */
  tail(length: number): Promise<Buffer> {
    const bytes = Math.min(length, this.#source.size)
    return this.#bytesAt(this.#source.size - bytes, bytes)
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window
    if (position >= start && position + length <= start + bytes.length)
      return bytes.subarray(position - start, position - start + length)
    if (position < 0 || position + length > this.#source.size) return Buffer.alloc(0)
    const end = Math.min(position + Math.max(length, windowBytes), this.#source.size)
    this.#window = { start: position, bytes: await buffer(this.#pieces(position, end)) }
    return this.#window.bytes.subarray(0, length)
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    try {
      yield* await this.#source.open({ start, end: end - 1 })
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

type ReadDone = (error: Error | null, bytesRead?: number) => void
