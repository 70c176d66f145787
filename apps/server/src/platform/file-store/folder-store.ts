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
        // Opened before anything is asked of the content: a file that comes to be after its removal would stay.
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
        // What cannot be removed now, housekeeping removes.
        await rm(part, { force: true }).catch(() => undefined)
        throw diskIsFull(error) ? refuse('storage-full') : error
      }
    },
    async open(key, range = {}) {
      const file = await open(pathOf(folder, key), 'r').catch(nullWhenMissing)
      if (file === null) {
        await mustBeTheStore(folder)
        throw new FileMissing(key)
      }
      return file.createReadStream({ ...range, highWaterMark: writeBytes })
    },
    async stat(key) {
      const found = await stat(pathOf(folder, key)).catch(nullWhenMissing)
      if (found !== null) return { size: found.size }
      await mustBeTheStore(folder)
      return null
    },
    async remove(key) {
      const path = pathOf(folder, key)
      await rm(path, { force: true })
      // Or it is back after a power cut, and nobody knows of it any more.
      await syncFolder(dirname(path)).catch(nullWhenMissing)
    },
    list: (prefix) => filesUnder(folder, pathOf(folder, prefix)),
    async removeUnfinished(_, begunBefore) {
      for await (const { key, keptAt } of filesUnder(folder, join(folder, arriving))) {
        if (keptAt < begunBefore) await rm(join(folder, key), { force: true })
      }
    },
  }
}

/** Where a disk is not mounted there is an empty folder, or none, and no file is gone for it. */
async function mustBeTheStore(folder: string): Promise<void> {
  const inIt = (await readdir(folder).catch(nullWhenMissing)) ?? []
  if (inIt.length > 0) return
  throw refuse('object-store-unreachable', {
    reason: because('of-backup-store', { reason: because('store-folder-empty') }),
  })
}

/** Keys come from our own tables; one that leads elsewhere is a bug. */
function pathOf(folder: string, key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(key)) throw new Error('This is not a key of a stored file.')
  return join(folder, key)
}

/** While a piece is written, the next one comes and is hashed. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const piece of inPieces(content)) {
      await writing
      writing = file.writeFile(piece)
      // Awaited a turn later, or below.
      writing.catch(() => undefined)
    }
  } finally {
    await writing
  }
}

/**
 * Small chunks gathered: every write is a trip to another thread. Two buffers serve in turn, so that a large file leaves no
 * garbage of its size: a piece is good until the next but one is asked for.
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

async function* filesUnder(folder: string, under: string): AsyncGenerator<{ key: string; keptAt: Date }> {
  const entries = (await readdir(under, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)) ?? []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(nullWhenMissing)
    if (found !== null) yield { key: relative(folder, path).split(sep).join('/'), keptAt: found.mtime }
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
