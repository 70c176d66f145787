/** Files in a folder: written beside, brought to disk, then renamed. */

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { because } from '@roomkeeper/contract'
import { makeFolder, syncFolder } from '@roomkeeper/durable-file'
import type { FileStore } from '../file-store.ts'
import { refuse } from '../refuse.ts'
import { hasCode } from '../system-error.ts'
import { FileMissing } from './file-missing.ts'
import { measured } from './measured.ts'

/** Inside the folder, because a rename does not cross file systems. */
const arriving = '.arriving'
const writeBytes = 1024 * 1024
/** Only for us: the files hold what customers keep in their rooms. */
const ours = 0o700

export function createFolderStore(folder: string): FileStore {
  return {
    async put(key, content, { signal } = {}) {
      const target = pathOf(folder, key)
      const part = join(folder, arriving, randomUUID())
      const { content: passed, result } = measured(content, signal)
      try {
        await makeFolder(dirname(part), ours)
        await makeFolder(dirname(target), ours)
        // Opened before the content is read: a file that appears after its removal would stay.
        const file = await open(part, 'wx', 0o600)
        try {
          await writeAll(file, passed)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(part, target)
        await syncFolder(dirname(target))
        return result()
      } catch (error) {
        // Housekeeping removes what cannot be removed now.
        await rm(part, { force: true }).catch(() => undefined)
        throw diskIsFull(error) ? refuse('storage-full') : error
      }
    },
    async open(key, range = {}) {
      const file = await open(pathOf(folder, key), 'r').catch(nullWhenMissing)
      if (file === null) {
        await requireStore(folder)
        throw new FileMissing(key)
      }
      return file.createReadStream({ ...range, highWaterMark: writeBytes })
    },
    async stat(key) {
      const found = await stat(pathOf(folder, key)).catch(nullWhenMissing)
      if (found !== null) return { size: found.size }
      await requireStore(folder)
      return null
    },
    async remove(key) {
      const path = pathOf(folder, key)
      await rm(path, { force: true })
      // Otherwise it may be back after a power cut, without a record.
      await syncFolder(dirname(path)).catch(nullWhenMissing)
    },
    list: (prefix) => filesUnder(folder, pathOf(folder, prefix)),
    async removeUnfinished(_, startedBefore) {
      for await (const { key, storedAt } of filesUnder(folder, join(folder, arriving))) {
        if (storedAt < startedBefore) await rm(join(folder, key), { force: true })
      }
    },
  }
}

/** When a disk is not mounted, the folder is empty or missing: that does not mean that files are gone. */
async function requireStore(folder: string): Promise<void> {
  const inIt = (await readdir(folder).catch(nullWhenMissing)) ?? []
  if (inIt.length > 0) return
  throw refuse('object-store-unreachable', {
    reason: because('of-backup-store', { reason: because('store-folder-empty') }),
  })
}

/** Keys come from our own tables; one that leads out of the folder is a bug. */
function pathOf(folder: string, key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(key)) throw new Error('This is not a key of a stored file.')
  return join(folder, key)
}

/** While a piece is written, the next one is read and hashed. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const piece of inPieces(content)) {
      await writing
      writing = file.writeFile(piece)
      // Awaited in the next round, or below.
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
}

/**
 * Gathers small chunks, because every write is a trip to another thread. Two buffers are used alternately, so that a
 * large file does not produce garbage of its size: a piece is valid until the next but one is requested.
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

async function* filesUnder(folder: string, under: string): AsyncGenerator<{ key: string; storedAt: Date }> {
  const entries = (await readdir(under, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)) ?? []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
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
