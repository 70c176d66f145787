/**
 * Computes what a power cut leaves. A file's content is on disk once it was synced after being written, a name once its
 * folder was synced. A rename is on disk as a whole or not at all, once either of its two folders was synced. Databases
 * in use are copied as they are, with their WAL files: SQLite syncs them itself, and its calls are not watched. But a
 * database that was never synced as a whole before it was renamed is empty.
 *
 * Files are identified by inode, so the folder has to be on a file system that does not reuse them (tmpfs).
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { FileCall, FileWatch } from '#disk/files.ts'

/**
 * forgotten: everything that was not synced is missing. emptied: all names are on disk, but contents that were not
 * synced are missing, as on file systems that write names before contents.
 */
export type PowerCut = 'forgotten' | 'emptied'

export interface Durability extends FileWatch {
  /** Writes into the folder what a power cut at this moment would leave. */
  writeTo(folder: string, how: PowerCut): void
}

type Inode = number
type Names = Map<string, Inode>
interface Rename {
  from: { folder: Inode; name: string }
  to: { folder: Inode; name: string }
  what: Inode
}

const companion = /-(wal|shm|journal)$/
const inUse = /^(region\.db|rooms\/[a-z0-9]+\/(system|databases\/[^/]+)\.db)$/

/** Follows the folder's files from now on. What is in it at the start counts as on disk. */
export function followDurability(root: string): Durability {
  const names = new Map<Inode, Names>()
  const contents = new Map<Inode, Buffer>()
  let renames: Rename[] = []
  const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

  const listing = (folder: string): Names =>
    new Map(
      readdirSync(folder)
        .filter((name) => !companion.test(name))
        .flatMap((name) => {
          const inode = inodeOf(join(folder, name))
          return inode === undefined ? [] : [[name, inode] as const]
        }),
    )
  const walk = (folder: string, see: (path: string, inode: Inode, isFolder: boolean) => void): void => {
    for (const [name, inode] of listing(folder)) {
      const path = join(folder, name)
      const isFolder = statSync(path).isDirectory()
      see(path, inode, isFolder)
      if (isFolder) walk(path, see)
    }
  }
  const rootInode = statSync(root).ino
  names.set(rootInode, listing(root))
  walk(root, (path, inode, isFolder) => {
    if (isFolder) names.set(inode, listing(path))
    else contents.set(inode, readFileSync(path))
  })

  function synced(path: string): void {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return
    if (found.isDirectory()) syncedFolder(path, found.ino)
    else contents.set(found.ino, readFileSync(path))
  }

  function syncedFolder(path: string, folder: Inode): void {
    for (const { from, to, what } of renames.filter((each) => [each.from.folder, each.to.folder].includes(folder))) {
      names.get(from.folder)?.delete(from.name)
      names.set(to.folder, (names.get(to.folder) ?? new Map()).set(to.name, what))
    }
    renames = renames.filter(({ from, to }) => ![from.folder, to.folder].includes(folder))
    names.set(folder, listing(path))
  }

  /** Keeps the content of a database that is about to lose its last name: on disk it may still have one. */
  function remember({ call, path }: FileCall): void {
    if (call !== 'unlink' && call !== 'rename') return
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && contents.has(found.ino) && path.endsWith('.db')) contents.set(found.ino, readFileSync(path))
  }

  function writeFile(to: string, path: string, inode: Inode, now: string | undefined): void {
    const known = contents.get(inode)
    const isInUse = known !== undefined && now !== undefined && inUse.test(path)
    if (!isInUse) writeFileSync(to, known ?? '')
    else {
      copyFileSync(now, to)
      if (existsSync(`${now}-wal`)) copyFileSync(`${now}-wal`, `${to}-wal`)
    }
  }

  return {
    before: remember,
    after(call) {
      if (!call.path.startsWith(root)) return
      if (call.call === 'sync') synced(call.path)
      const what = inodeOf(call.path)
      if (call.call !== 'rename' || call.from === undefined || what === undefined) return
      const pathOf = (path: string) => ({ folder: inodeOf(dirname(path)) ?? 0, name: basename(path) })
      renames.push({ from: pathOf(call.from), to: pathOf(call.path), what })
    },
    writeTo(folder, how) {
      const paths = new Map<Inode, string>()
      const folders = new Set<Inode>([rootInode, ...names.keys()])
      walk(root, (path, inode, isFolder) => {
        paths.set(inode, path)
        if (isFolder) folders.add(inode)
      })
      const write = (inode: Inode, to: string): void => {
        mkdirSync(to)
        const now = paths.get(inode) ?? root
        for (const [name, below] of how === 'forgotten' ? (names.get(inode) ?? []) : listing(now)) {
          const path = join(to, name)
          if (folders.has(below)) write(below, path)
          else writeFile(path, relative(folder, path), below, paths.get(below))
        }
      }
      write(rootInode, folder)
    },
  }
}
