/** Stores files in a folder: writes a temporary file, syncs it to disk, then renames it. */

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder, syncFolder } from '@roomkeeper/durable-file'
import { FileMissing, type FileStore } from '../file-store.ts'
import { refuse } from '../refuse.ts'
import { hasCode } from '../system-error.ts'
import { giveBackBuffers } from './give-back-buffers.ts'
import { measured } from './measured.ts'

/** The folder of temporary files, inside the store because a rename cannot cross file systems. */
const arriving = '.arriving'
const writeBytes = 1024 * 1024
const maxTries = 100
/** Only our own user may enter: the files hold the contents of customers' rooms. */
const ours = 0o700

export function createFolderStore(folder: string): FileStore {
  return {
    // Without a mark any place is the store: see marked-store.ts.
    async check() {},
    async put(key, content, { signal, sha256 } = {}) {
      const target = pathOf(folder, key)
      const part = join(folder, arriving, partOf(key))
      const { content: passed, result } = measured(content, signal, sha256)
      try {
        await makeFolder(dirname(part), ours)
        // The file is opened before the content is read: one that appeared only after its removal below would stay.
        const file = await open(part, 'wx', 0o600)
        try {
          await writeAll(file, passed)
          await file.sync()
        } finally {
          await file.close()
        }
        await moveTo(part, target)
        await syncFolder(dirname(target))
        // Another put may have made the folder, and not yet written its name.
        await syncFolder(dirname(dirname(target)))
        return result()
      } catch (error) {
        // If the file cannot be removed now, housekeeping removes it later.
        await rm(part, { force: true }).catch(() => undefined)
        throw diskIsFull(error) ? refuse('storage-full') : error
      }
    },
    async open(key, range = {}) {
      const file = await open(pathOf(folder, key), 'r').catch(nullWhenMissing)
      if (file === null) throw new FileMissing(key)
      return readingInPieces(file.createReadStream({ ...range, highWaterMark: writeBytes }))
    },
    async stat(key) {
      const found = await stat(pathOf(folder, key)).catch(nullWhenMissing)
      return found === null ? null : { size: found.size }
    },
    async remove(key) {
      const path = pathOf(folder, key)
      await rm(path, { force: true })
      // Without the sync a power cut may bring the file back, without a record.
      await syncFolder(dirname(path)).catch(nullWhenMissing)
      // A folder for each room would stay for ever. It goes only when it is empty; those at the top stay.
      if (key.split('/').length > 2) await rmdir(dirname(path)).catch(() => undefined)
    },
    list: (prefix) => filesUnder(folder, pathOf(folder, prefix)),
    async removeUnfinished(prefix, startedBefore) {
      let removed = 0
      for await (const { key, storedAt } of filesUnder(folder, join(folder, arriving))) {
        if (storedAt >= startedBefore || !isPartOf(basename(key), prefix)) continue
        await rm(join(folder, key), { force: true })
        removed += 1
      }
      return removed
    },
  }
}

/** Tried again, because the removal of the last other file removes the folder, too. */
async function moveTo(part: string, target: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await makeFolder(dirname(target), ours)
      return await rename(part, target)
    } catch (error) {
      if (!isMissing(error) || tries === maxTries) throw error
    }
  }
}

/** Tells the key, in a name that no folder has to be made for. Keys have no `+`. */
function partOf(key: string): string {
  return [...key.split('/'), randomUUID()].join('+')
}

function isPartOf(part: string, prefix: string): boolean {
  return part.startsWith(prefix.replaceAll('/', '+'))
}

/** Keys come from our own tables, so a key that leads out of the folder is a bug. */
function pathOf(folder: string, key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(key)) throw new Error('This is not a key of a stored file.')
  return join(folder, key)
}

function readingInPieces(file: Readable): Readable {
  async function* pieces() {
    for await (const piece of file as AsyncIterable<Uint8Array>) {
      yield piece
      giveBackBuffers(piece.length)
    }
  }
  const content = Readable.from(pieces(), { objectMode: false })
  // A reader that gives up before the first piece does not start the generator, which would close the file.
  return content.once('close', () => file.destroy())
}

/** Reads and hashes the next piece while the previous one is being written. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const piece of inPieces(content)) {
      await writing
      writing = file.writeFile(piece)
      // Awaited in the next iteration or in `finally`.
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
}

/**
 * Joins small chunks, because every write goes through another thread. Two buffers alternate, so that a large file does
 * not produce as much garbage as its size. A piece is valid until the second piece after it is requested.
 */
async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathering = Buffer.allocUnsafe(writeBytes)
  let other: typeof gathering | null = null
  let bytes = 0
  for await (const chunk of content) {
    for (let from = 0; from < chunk.byteLength; ) {
      const part = chunk.subarray(from, from + writeBytes - bytes)
      gathering.set(part, bytes)
      bytes += part.byteLength
      from += part.byteLength
      if (bytes < writeBytes) continue
      yield gathering
      ;[gathering, other] = [other ?? Buffer.allocUnsafe(writeBytes), gathering]
      bytes = 0
    }
  }
  if (bytes > 0) yield gathering.subarray(0, bytes)
}

/** Folders may go meanwhile. */
async function* filesUnder(folder: string, under: string): AsyncGenerator<{ key: string; storedAt: Date }> {
  const entries = (await readdir(under, { withFileTypes: true }).catch(nullWhenMissing)) ?? []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) yield* filesUnder(folder, path)
    if (!entry.isFile()) continue
    const found = await stat(path).catch(nullWhenMissing)
    if (found !== null) yield { key: relative(folder, path).split(sep).join('/'), storedAt: found.mtime }
  }
}

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

function diskIsFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT')
}
