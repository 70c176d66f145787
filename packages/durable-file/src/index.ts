/** Durable files and folders: each change is complete or not made, and survives a power cut once the call returns. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Replaces the file's content. @param mode the new file's mode */
export async function replaceFile(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.new-${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

/**
 * Removes what `replaceFile` leaves beside the file when its process is killed, also where the file itself is gone. A
 * `replaceFile` that runs at the same time may fail, and then changes nothing.
 */
export async function removeUnfinished(path: string): Promise<void> {
  const [folder, begin] = [dirname(path), `${basename(path)}.new-`]
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) if (name.startsWith(begin)) await rm(join(folder, name), { force: true })
}

/** Brings a folder's list of names to disk. Until then, a power cut can undo a rename or a removal. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes the folder and the missing folders above it, and brings their names to disk. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}
