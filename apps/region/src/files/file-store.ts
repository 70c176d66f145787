/**
 * Files on their way between console and jobs: backups and exports.
 * ```
 * files/<id>/meta.json   what was announced: { size, sha256 }
 * files/<id>/part        what has arrived
 * files/<id>/content     all of it, checked
 * ```
 * A file goes `keptHours` after it was last used.
 */
import { join } from 'node:path'
import type { FileInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { moveDurably, removeTree, replaceFile, syncToDisk } from '#disk/durable.ts'
import { isAbsent, mkdir, readdir, readText, stat, touch } from '#disk/files.ts'
import { refuseWithoutSpace } from '#disk/free-space.ts'
import { refuse } from '#refusals.ts'
import type { FileSum } from './sha256-of-file.ts'

export interface FileStore {
  find(id: string): Promise<FileInfo | undefined>
  /** Where the complete content is; it stays at least until it has not been used for long. @throws {Refusal} 'file-unknown', 'file-incomplete' */
  contentOf(id: string): Promise<{ path: string; size: number; sha256: string }>
  /** Takes the file that `write` makes at the path it is given; replaces one of this id. */
  produce(id: string, write: (path: string) => Promise<FileSum>): Promise<FileSum & { file: string }>
  /** Begins to take a file, from its first byte. */
  announce(id: string, announced: Announced): Promise<void>
  /** @throws {Refusal} 'storage-full' when there is no space for so many bytes */
  refuseWithoutSpace(bytes: number): Promise<void>
  /** Where content is put while it arrives. */
  partOf(id: string): string
  /** All has arrived and is what was announced. */
  complete(id: string): Promise<FileInfo>
  remove(id: string): Promise<void>
  removeUnused(): Promise<void>
}

const announcedFile = z.object({ size: z.int().min(0), sha256: z.string() })
export type Announced = z.output<typeof announcedFile>

const keptHours = 48

export async function openFileStore(dataDir: string): Promise<FileStore> {
  const root = join(dataDir, 'files')
  await mkdir(root, { recursive: true })
  const folderOf = (id: string) => join(root, id)
  const pathOf = (id: string, what: 'meta.json' | 'part' | 'content') => join(root, id, what)

  async function find(id: string): Promise<FileInfo | undefined> {
    const meta = await readText(pathOf(id, 'meta.json')).catch(nothingWhenAbsent)
    if (meta === undefined) return undefined
    const { size, sha256 } = announcedFile.parse(JSON.parse(meta))
    if ((await sizeOf(pathOf(id, 'content'))) === size) return { id, size, received: size, complete: true, sha256 }
    return { id, size, received: (await sizeOf(pathOf(id, 'part'))) ?? 0, complete: false, sha256 }
  }

  async function announce(id: string, announced: Announced): Promise<void> {
    await removeTree(folderOf(id))
    await mkdir(folderOf(id))
    await syncToDisk(root)
    await replaceFile(pathOf(id, 'meta.json'), JSON.stringify(announced))
  }

  async function complete(id: string): Promise<FileInfo> {
    await syncToDisk(pathOf(id, 'part'))
    await moveDurably(pathOf(id, 'part'), pathOf(id, 'content'))
    const info = await find(id)
    if (info === undefined) throw refuse('file-unknown')
    return info
  }

  return {
    find,
    announce,
    complete,
    refuseWithoutSpace: (bytes) => refuseWithoutSpace(root, bytes),
    partOf: (id) => pathOf(id, 'part'),
    async contentOf(id) {
      const info = await find(id)
      if (info === undefined) throw refuse('file-unknown')
      if (!info.complete || info.sha256 === null) throw refuse('file-incomplete')
      await touch(pathOf(id, 'meta.json'))
      return { path: pathOf(id, 'content'), size: info.size, sha256: info.sha256 }
    },
    async produce(id, write) {
      await removeTree(folderOf(id))
      await mkdir(folderOf(id))
      try {
        const { size, sha256 } = await write(pathOf(id, 'part'))
        await replaceFile(pathOf(id, 'meta.json'), JSON.stringify({ size, sha256 }))
        await syncToDisk(root)
        await complete(id)
        return { file: id, size, sha256 }
      } catch (error) {
        await removeTree(folderOf(id))
        throw error
      }
    },
    remove: (id) => removeTree(folderOf(id)),
    async removeUnused() {
      const oldest = Date.now() - keptHours * 3_600_000
      for (const id of await readdir(root)) {
        const used = await stat(pathOf(id, 'meta.json')).catch(nothingWhenAbsent)
        const touched = used ?? (await stat(folderOf(id)).catch(nothingWhenAbsent))
        if (touched !== undefined && touched.mtimeMs < oldest) await removeTree(folderOf(id))
      }
    },
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(nothingWhenAbsent))?.size
}

function nothingWhenAbsent(error: unknown): undefined {
  if (isAbsent(error)) return undefined
  throw error
}
