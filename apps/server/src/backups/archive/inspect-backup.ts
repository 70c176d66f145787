/**
 * Reads what a backup (.zip) contains from its central directory and its manifest. The file comes from outside, so
 * nothing in it is trusted. `compareFiles` also reads the files in it; the region does that again when it restores the
 * backup.
 */

import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { BackupContents } from '@roomkeeper/contract'
import { type BackupManifest, databaseName, manifestFile, parseManifest } from '@roomkeeper/region-protocol'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { Refusal, refuse } from '#platform/refuse.ts'
import { inUnits } from '#platform/units-of-bytes.ts'
import { type ByteSource, SourceReader } from './byte-source.ts'
import type { PassedFiles } from './passed-files.ts'

export interface InspectedBackup {
  manifest: BackupManifest
  contents: BackupContents
}

const manifestBytesAtMost = 8 * 1024 * 1024
/** A manifest lists at most 10,000 files. */
const entriesAtMost = 10_100
const expansionAtMost = 1000
/**
 * For reading every file: a small .zip of zeros must not keep a server busy for hours. Databases with many empty pages
 * pack several hundred to one, so how well a backup packs says nothing. What counts is what its manifest declares, which
 * is what each of its files has, and nobody can make them have more: as much is read as could have been uploaded
 * unpacked, as regions make their backups.
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
  manifest: BackupManifest,
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
        const sha256 = expected.get(nameOf(entry))
        if (sha256 === undefined) continue
        const found = digestThatPassed(entry, passed) ?? (await sha256Of(zip, entry, signal))
        if (found !== sha256) throw refuse('wrong-file-content')
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
    const zip = await yauzl.fromRandomAccessReaderPromise(reader, source.size, {
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
    // Nobody waits any more: that says nothing about the file.
    signal?.throwIfAborted()
    throw error instanceof Refusal ? error : refuse('wrong-file')
  }
}

async function inspectZip(zip: ZipFile, size: number): Promise<InspectedBackup> {
  const entries = await readEntries(zip, size)
  const manifest = await readManifest(zip, entries)
  const databases = databasesOf(manifest)
  refuseOtherFiles(manifest, entries)
  if (manifest.files.length === 0) throw refuse('no-upload-content')
  const { kind, room: roomName, product, edition, createdAt } = manifest
  return { manifest, contents: { kind, roomName, product, edition, createdAt, databases, size } }
}

interface Entries {
  /** The uncompressed size of each file by name. Keeping whole entries could take a thousand times the memory. */
  sizes: Map<string, number>
  manifest: Entry | undefined
}

/** @throws Refusal if the .zip has an entry that a backup never has */
async function readEntries(zip: ZipFile, size: number): Promise<Entries> {
  if (zip.entryCount > entriesAtMost) throw refuse('wrong-file-content')
  const sizes = new Map<string, number>()
  let manifest: Entry | undefined
  let packed = 0
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    if (isOversized(entry)) throw refuse('wrong-file-content')
    const name = nameOf(entry)
    packed += entry.compressedSize
    unpacked += entry.uncompressedSize
    const expands = entry.uncompressedSize > expansionAtMost * Math.max(entry.compressedSize, 1)
    if (expands || sizes.has(name) || isLink(entry) || !entry.canDecodeFileData()) throw refuse('wrong-file-content')
    if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > size) throw refuse('wrong-file')
    if (!name.endsWith('/')) sizes.set(name, entry.uncompressedSize)
    if (name === manifestFile) manifest = entry
  }
  // Overlapping files can expand to more in total than the limit for each file allows.
  if (packed > size || unpacked > expansionAtMost * size) throw refuse('wrong-file-content')
  if (sizes.size === 0) throw refuse('no-upload-content')
  return { sizes, manifest }
}

function isOversized(entry: Entry): boolean {
  return entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength > entryBytesAtMost
}

/** @throws Refusal for absolute paths, `..` and backslashes */
function nameOf(entry: Entry): string {
  try {
    const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)
    if (yauzl.validateFileName(name) === null) return name
  } catch {
    // The name is refused below.
  }
  throw refuse('wrong-file-content')
}

function isLink(entry: Entry): boolean {
  const mode = entry.externalFileAttributes >>> 16
  return (mode & 0o170000) === 0o120000
}

async function readManifest(zip: ZipFile, { manifest: entry }: Entries): Promise<BackupManifest> {
  if (entry === undefined || entry.uncompressedSize > manifestBytesAtMost) throw refuse('wrong-file-content')
  const manifest = parseManifest(await text(await zip.openReadStreamPromise(entry)))
  if (manifest === null) throw refuse('wrong-file-content')
  return manifest
}

/** The names of the databases. @throws Refusal if the manifest lists files that a project room does not have */
function databasesOf(manifest: BackupManifest): string[] {
  const databases = manifest.files.flatMap(({ path }) => databaseAt(path) ?? [])
  const system = manifest.files.filter(({ path }) => path === systemDatabase).length
  const others = manifest.files.length - databases.length - system
  const distinct = new Set(databases.map((name) => name.toLowerCase())).size
  if (others !== 0 || system !== (manifest.kind === 'room' ? 1 : 0) || distinct !== databases.length)
    throw refuse('wrong-file-content')
  return databases.sort()
}

function databaseAt(path: string): string | undefined {
  const name = /^databases\/(.+)\.db$/.exec(path)?.[1]
  return name !== undefined && databaseName.safeParse(name).data === name ? name : undefined
}

/** @throws Refusal unless the .zip contains exactly the files of the manifest, with the same sizes */
function refuseOtherFiles(manifest: BackupManifest, { sizes }: Entries): void {
  const isThere = manifest.files.every(({ path, size }) => sizes.get(path) === size)
  if (!isThere || sizes.size !== manifest.files.length + 1) throw refuse('wrong-file-content')
}
