/**
 * Takes a file from an operator into the store. It is checked while it arrives, so that an upload of the wrong kind ends at
 * once, and nothing stays of a file that is incomplete or of the wrong kind.
 */
import { createHash, randomUUID } from 'node:crypto'
import { databaseExportLayout as layout } from '@roomkeeper/region-protocol'
import { compareFiles, createPassedFiles, inspectBackup, storedFile } from '#backups/index.ts'
import { createConcurrencyLimit } from '#platform/concurrency-limit.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { IncomingUpload } from '#platform/http/handler.ts'
import { type ReceivedFile, receiveFile } from '#platform/http/receive-file.ts'
import { refuse, refuseFile } from '#platform/refuse.ts'
import { type StoredUpload, type UploadKind, uploadsPrefix } from './stored-upload.ts'

const extensions = { backup: '.zip', database: '.adb' } as const
const passes = { backup: passZip, database: passDatabaseExport } as const

/**
 * Reading whole backups takes processor time that the calls of others need. One operator's backups are read one after
 * another, so that the other slot stays free for another operator.
 */
const comparisons = createConcurrencyLimit({ atOnce: 2, atOnceOfOne: 1, queue: 50, queueOfOne: 10 })

export interface UploadRules {
  store: FileStore
  limitBytes: number
}

/**
 * Streams the file into the store and checks it, a backup to its last byte. The caller has to record it.
 * @param owner the operator
 * @param signal fires when the client no longer waits for the answer; the file is then discarded
 * @throws Refusal `wrong-file`, `wrong-file-content`, `no-upload-content`, `unpacks-too-large`, `storage-full`,
 *   `too-many-calls`, and the refusals of `receiveFile`
 */
export async function acceptUpload(
  { store, limitBytes }: UploadRules,
  upload: IncomingUpload,
  kind: UploadKind,
  owner: string,
  signal: AbortSignal,
): Promise<StoredUpload> {
  const name = randomUUID() + extensions[kind]
  const storeKey = uploadsPrefix + name
  const discard = () => store.remove(storeKey)
  const take = async (file: ReceivedFile) => {
    if (!file.fileName.toLowerCase().endsWith(extensions[kind]))
      throw refuseFile('wrong-file', 'file-ending', { ending: extensions[kind] })
    try {
      const kept = await store.put(storeKey, passes[kind](passing(file.content)))
      return { ...kept, fileName: shownName(file.fileName) }
    } catch (error) {
      // If only the answer was lost, the store has the file. Removing it is safe: no one else writes under this name.
      await discard().catch(() => undefined)
      throw error
    }
  }
  const passed = createPassedFiles()
  async function* passing(content: AsyncIterable<Uint8Array>) {
    for await (const bytes of content) {
      if (kind === 'backup') passed.pass(bytes)
      yield bytes
    }
  }
  const kept = await receiveFile(upload, { field: 'file', limitBytes, take, discard })
  try {
    const source = storedFile(store, { storeKey, size: kept.size })
    const found = kind === 'backup' ? await inspectBackup(source) : null
    if (found !== null) {
      const compare = () => compareFiles(source, found, limitBytes, signal, passed.found)
      await comparisons.run(compare, { owner, signal })
    }
    return { ...kept, name, storeKey, contents: found?.contents ?? null, manifest: found?.manifest ?? null }
  } catch (error) {
    await discard().catch(() => undefined)
    throw error
  }
}

/** The file name to show in lists and in the audit trail. */
function shownName(fileName: string): string {
  return fileName.replace(/\p{C}/gu, '').slice(0, 255)
}

type Content = AsyncIterable<Uint8Array>

const firstOfZip = 'PK\x03\x04'
const firstOfEmptyZip = 'PK\x05\x06'

/** Passes on a .zip. @throws Refusal `wrong-file`, `no-upload-content` */
async function* passZip(content: Content): AsyncGenerator<Uint8Array> {
  let first = ''
  for await (const bytes of content) {
    if (first.length < firstOfZip.length) {
      first += Buffer.from(bytes.subarray(0, firstOfZip.length - first.length)).toString('latin1')
      if (first === firstOfEmptyZip) throw refuse('no-upload-content')
      if (!firstOfZip.startsWith(first) && !firstOfEmptyZip.startsWith(first))
        throw refuseFile('wrong-file', 'zip-none')
    }
    yield bytes
  }
  if (first !== firstOfZip) throw refuseFile('wrong-file', 'zip-none')
}

/** Passes on a database export. @throws Refusal `wrong-file` if it is not one, is incomplete, or has extra bytes */
async function* passDatabaseExport(content: Content): AsyncGenerator<Uint8Array> {
  const walk = createExportWalk()
  for await (const bytes of content) {
    walk.pass(bytes)
    yield bytes
  }
  if (!walk.isAtEnd()) throw refuseFile('wrong-file', walk.hasBegun() ? 'export-damaged' : 'export-none')
}

/** Walks over the chunks by their lengths alone, because their content cannot be read without the password. */
function createExportWalk() {
  let held = Buffer.alloc(0)
  let awaited: 'header' | 'chunk' | 'end' = 'header'
  let skip = 0

  function take(bytes: Uint8Array): Uint8Array {
    if (skip > 0) {
      const skipped = Math.min(skip, bytes.length)
      skip -= skipped
      return bytes.subarray(skipped)
    }
    if (awaited === 'end') throw refuseFile('wrong-file', 'export-damaged')
    const wanted = awaited === 'header' ? layout.headerBytes : 4
    const missing = wanted - held.length
    held = Buffer.concat([held, bytes.subarray(0, missing)])
    if (awaited === 'header') checkHeader(held)
    if (held.length === wanted) {
      if (awaited === 'chunk') startChunk(held.readUInt32BE())
      else awaited = 'chunk'
      held = Buffer.alloc(0)
    }
    return bytes.subarray(missing)
  }

  function startChunk(start: number): void {
    const isLast = start >= layout.lastFlag
    const length = isLast ? start - layout.lastFlag : start
    if (length > layout.chunkBytesAtMost) throw refuseFile('wrong-file', 'export-damaged')
    skip = length + layout.tagBytes
    if (isLast) awaited = 'end'
  }

  return {
    pass(bytes: Uint8Array): void {
      for (let rest = bytes; rest.length > 0; ) rest = take(rest)
    },
    hasBegun: () => awaited !== 'header' || held.length >= layout.magic.length,
    isAtEnd: () => awaited === 'end' && skip === 0,
  }
}

/** Checks as much of the header as has arrived. */
function checkHeader(header: Buffer): void {
  const magic = Buffer.from(layout.magic, 'latin1').subarray(0, header.length)
  if (!header.subarray(0, magic.length).equals(magic)) throw refuseFile('wrong-file', 'export-none')
  if (header.length < layout.headerBytes) return
  // A file whose scrypt parameters demand more work than any of ours was crafted to keep a region busy.
  const asksForMore = layout.scryptAtMost.some((most, index) => (header[layout.magic.length + index] ?? 0) > most)
  if (asksForMore) throw refuseFile('wrong-file', 'export-none')
  const checked = header.subarray(0, -layout.checksumBytes)
  const found = createHash('sha256').update(checked).digest()
  if (!found.equals(header.subarray(checked.length))) throw refuseFile('wrong-file', 'export-damaged')
}
