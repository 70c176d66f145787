/** Files in a folder: written beside, brought to disk, then renamed. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../file-store.ts'
import { refuse } from '../refuse.ts'
import { FileMissing } from './file-missing.ts'
import { measured } from './measured.ts'

/** Inside the folder, because a rename does not cross file systems. */
const arriving = '.arriving'
const writeBytes = 1024 * 1024

export function createFolderStore(folder: string): FileStore {
  return {
    async put(key, content, { signal } = {}) {
      const target = pathOf(folder, key)
      const part = join(folder, arriving, randomUUID())
      const { content: passed, result } = measured(content, signal)
      try {
        await makeFolder(dirname(part))
        await makeFolder(dirname(target))
        const written = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: writeBytes })
        await pipeline(passed, written)
        await rename(part, target)
        await bringToDisk(dirname(target))
        return result()
      } catch (error) {
        await rm(part, { force: true })
        throw diskIsFull(error) ? refuse('storage-full') : error
      }
    },
    async open(key, range = {}) {
      const file = await open(pathOf(folder, key), 'r').catch((error: unknown) => {
        throw isMissing(error) ? new FileMissing(key) : error
      })
      return file.createReadStream({ ...range, highWaterMark: writeBytes })
    },
    async stat(key) {
      const found = await stat(pathOf(folder, key)).catch(nullWhenMissing)
      return found === null ? null : { size: found.size }
    },
    remove: (key) => rm(pathOf(folder, key), { force: true }),
    list: (prefix) => filesUnder(folder, pathOf(folder, prefix)),
    async removeUnfinished(_, begunBefore) {
      for await (const { key, keptAt } of filesUnder(folder, join(folder, arriving))) {
        if (keptAt < begunBefore) await rm(join(folder, key), { force: true })
      }
    },
  }
}

/** Keys come from our own tables; one that leads elsewhere is a bug. */
function pathOf(folder: string, key: string): string {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(key)) throw new Error('This is not a key of a stored file.')
  return join(folder, key)
}

/** Only for us: the files hold what customers keep in their rooms. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** A rename is lost with the power unless its folder is brought to disk too. */
async function bringToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
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
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function diskIsFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))
}
