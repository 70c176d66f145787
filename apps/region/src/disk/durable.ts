/** Changes that are on disk when they return. A crash leaves each either done or not started. */
import { basename, dirname, join } from 'node:path'
import { endProcess } from './end-process.ts'
import { isAbsent, type OpenFile, open, readEntries, rename, rmdir, unlink } from './files.ts'

/** Makes a file's content, or a folder's list of names, survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same for a folder and everything below it. */
export async function syncTreeToDisk(folder: string): Promise<void> {
  for (const entry of await readEntries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTreeToDisk(path)
    else await syncToDisk(path)
  }
  await syncToDisk(folder)
}

/**
 * Replaces a file: a reader, or the next start after a crash, finds the old content or the new, never a part. Do not
 * run it twice at once for the same file.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = temporaryPathOf(path)
  try {
    const handle = await open(temporary, 'w')
    try {
      await handle.write(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveDurably(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

/** The temporary file that a crash in `replaceFile` may leave behind. */
export function temporaryPathOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.draft`)
}

/**
 * Renames within one file system. The rename is on disk when it returns; when it throws, nothing has changed. If the
 * rename cannot be brought to disk, the process ends.
 */
export async function moveDurably(from: string, to: string): Promise<void> {
  await withFolders([dirname(to), dirname(from)], async (sync) => {
    await rename(from, to)
    await sync()
  })
}

/**
 * Opens the folders before anything is renamed in them, so that the process cannot run out of file descriptors between
 * a rename and its sync.
 * @param work calls `sync` when it has renamed; `sync` ends the process if that cannot be brought to disk
 */
export async function withFolders<T>(
  folders: readonly string[],
  work: (sync: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened: OpenFile[] = []
  try {
    for (const folder of new Set(folders)) opened.push(await open(folder, 'r'))
    return await work(async () => {
      try {
        for (const folder of opened) await folder.sync()
      } catch (error) {
        endProcess(`a change in ${folders[0]} is perhaps not on disk`, error)
      }
    })
  } finally {
    for (const folder of opened) await folder.close()
  }
}

/** Removes a file, or a folder with everything below it. Succeeds if there is nothing. */
export async function removeTree(path: string): Promise<void> {
  const entries = await readEntries(path).catch((error: unknown) => {
    if (isAbsent(error)) return null
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return 'file'
    throw error
  })
  if (entries === null) return
  if (entries === 'file') return unlink(path)
  for (const entry of entries) {
    const below = join(path, entry.name)
    if (entry.isDirectory()) await removeTree(below)
    else await unlink(below)
  }
  await rmdir(path)
}
