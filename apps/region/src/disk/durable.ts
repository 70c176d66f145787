/** Writes that are on disk when they return, and that a crash leaves done or not begun. */
import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Makes a file's content, or a folder's list of names, outlive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Everything below a folder, and the folder itself. */
export async function syncTreeToDisk(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTreeToDisk(path)
    else await syncToDisk(path)
  }
  await syncToDisk(folder)
}

/** Replaces a file: readers and crashes see the old content or the new, never a part. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = join(dirname(path), `.${randomUUID()}.draft`)
  try {
    const handle = await open(draft, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await moveDurably(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Renames within one file system; on disk when it returns. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncToDisk(dirname(to))
  if (dirname(from) !== dirname(to)) await syncToDisk(dirname(from))
}

export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}
