/**
 * Files on their way between console and jobs: backups and exports.
 * ```
 * files/.new-…           a file that is being made or announced; worthless after a crash
 * files/<id>/meta.json   { size, sha256, synced }: what was announced, and how much of the part is certainly on disk
 * files/<id>/part        the content that has arrived so far
 * files/<id>/content     the complete content, checked
 * ```
 * A file is removed `keptHours` after its last use.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FileInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { discard } from '#disk/discard.ts'
import { moveDurably, removeTree, replaceFile, syncToDisk, syncTreeToDisk } from '#disk/durable.ts'
import { exists, isAbsent, mkdir, readdir, readText, rename, stat, touch } from '#disk/files.ts'
import { refuseWithoutSpace } from '#disk/free-space.ts'
import { refuse } from '#refusals.ts'
import { createGrowingFiles, type GrowingFiles } from './growing-files.ts'
import type { FileSum } from './sha256-of-file.ts'

export interface FileStore {
  /** Those that jobs are making, by the id of the job. */
  readonly growing: GrowingFiles
  find(id: string): Promise<FileInfo | undefined>
  /**
   * The complete content, which is kept for `keptHours` from now.
   * @throws {Refusal} 'file-unknown', 'file-incomplete'
   */
  contentOf(id: string): Promise<{ path: string; size: number; sha256: string }>
  /** Stores the file that `write` makes at the given path. Replaces a file with the same id. */
  produce(id: string, write: (path: string) => Promise<FileSum>): Promise<FileSum & { file: string }>
  /** Begins to receive a file from its first byte. */
  announce(id: string, announced: Announced): Promise<void>
  /** @throws {Refusal} 'storage-full' when there is no space for this many bytes */
  refuseWithoutSpace(bytes: number): Promise<void>
  /** The path of the content while it arrives. */
  partOf(id: string): string
  /** Records how many bytes of the part are on disk: they count as received from now on. */
  count(id: string, announced: Announced, bytes: number): Promise<void>
  /** Makes the part the content. The caller has checked that all has arrived and matches the announced digest. */
  complete(id: string): Promise<FileInfo>
  remove(id: string): Promise<void>
  /** @returns whether there is anything of this file */
  has(id: string): Promise<boolean>
  /**
   * That they are gone is on disk when it returns.
   * @returns of how many of these files there was anything. @throws when some of it stays on the disk
   */
  purge(ids: readonly string[]): Promise<number>
  removeUnused(): Promise<void>
}

const announcedFile = z.object({ size: z.int().min(0), sha256: z.string() })
export type Announced = z.output<typeof announcedFile>
const metaOfFile = announcedFile.extend({ synced: z.int().min(0).default(0) })

const keptHours = 48
/** No id of a file begins with a dot. */
const temporaryPrefix = '.new-'

export async function openFileStore(dataDir: string): Promise<FileStore> {
  const root = join(dataDir, 'files')
  await mkdir(root, { recursive: true })
  for (const entry of await readdir(root)) if (entry.startsWith(temporaryPrefix)) await discard(join(root, entry))
  const folderOf = (id: string) => join(root, id)
  const pathOf = (id: string, what: 'meta.json' | 'part' | 'content') => join(root, id, what)

  async function find(id: string): Promise<FileInfo | undefined> {
    const meta = await readText(pathOf(id, 'meta.json')).catch(nothingWhenAbsent)
    if (meta === undefined) return undefined
    const { size, sha256, synced } = metaOfFile.parse(JSON.parse(meta))
    if ((await sizeOf(pathOf(id, 'content'))) === size) return { id, size, received: size, complete: true, sha256 }
    const received = Math.min(synced, (await sizeOf(pathOf(id, 'part'))) ?? 0)
    return { id, size, received, complete: false, sha256 }
  }

  async function announce(id: string, announced: Announced): Promise<void> {
    await inTemporaryFolder(id, (folder) => writeMeta(folder, announced))
  }

  /** Makes the file's folder appear as a whole. @param fill fills the temporary folder before it is renamed */
  async function inTemporaryFolder<T>(id: string, fill: (folder: string) => Promise<T>): Promise<T> {
    const temporary = join(root, `${temporaryPrefix}${randomUUID()}`)
    await mkdir(temporary)
    try {
      const result = await fill(temporary)
      await syncTreeToDisk(temporary)
      await remove(id)
      await moveDurably(temporary, folderOf(id))
      return result
    } catch (error) {
      await discard(temporary)
      throw error
    }
  }

  /** Renames the folder first, so that the file disappears as a whole. */
  async function remove(id: string): Promise<void> {
    const remains = join(root, `${temporaryPrefix}${randomUUID()}`)
    try {
      await rename(folderOf(id), remains)
    } catch (error) {
      if (isAbsent(error)) return
      throw error
    }
    await discard(remains)
  }

  async function complete(id: string): Promise<FileInfo> {
    await syncToDisk(pathOf(id, 'part'))
    await moveDurably(pathOf(id, 'part'), pathOf(id, 'content'))
    const info = await find(id)
    if (info === undefined) throw refuse('file-unknown')
    return info
  }

  return {
    growing: createGrowingFiles(),
    find,
    announce,
    complete,
    refuseWithoutSpace: (bytes) => refuseWithoutSpace(root, bytes),
    partOf: (id) => pathOf(id, 'part'),
    count: (id, announced, synced) => writeMeta(folderOf(id), { ...announced, synced }),
    async contentOf(id) {
      const info = await find(id)
      if (info === undefined) throw refuse('file-unknown')
      if (!info.complete || info.sha256 === null) throw refuse('file-incomplete')
      await touch(pathOf(id, 'meta.json'))
      return { path: pathOf(id, 'content'), size: info.size, sha256: info.sha256 }
    },
    async produce(id, write) {
      return inTemporaryFolder(id, async (folder) => {
        const { size, sha256 } = await write(join(folder, 'content'))
        await writeMeta(folder, { size, sha256 })
        return { file: id, size, sha256 }
      })
    },
    remove,
    has: (id) => exists(folderOf(id)),
    async purge(ids) {
      let removed = 0
      for (const id of ids) {
        if (!(await exists(folderOf(id)))) continue
        await removeTree(folderOf(id))
        removed += 1
      }
      // Also when none is there: a purge before this one may have failed between a removal and this.
      await syncToDisk(root)
      return removed
    },
    async removeUnused() {
      const oldest = Date.now() - keptHours * 3_600_000
      for (const id of await readdir(root)) {
        // Still being made, for however long; what a crash leaves goes at the start.
        if (id.startsWith(temporaryPrefix)) continue
        const used = await stat(pathOf(id, 'meta.json')).catch(nothingWhenAbsent)
        const touched = used ?? (await stat(folderOf(id)).catch(nothingWhenAbsent))
        if (touched !== undefined && touched.mtimeMs < oldest) await remove(id)
      }
    },
  }
}

function writeMeta(folder: string, meta: z.input<typeof metaOfFile>): Promise<void> {
  return replaceFile(join(folder, 'meta.json'), JSON.stringify(meta))
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(nothingWhenAbsent))?.size
}

function nothingWhenAbsent(error: unknown): undefined {
  if (isAbsent(error)) return undefined
  throw error
}
