/** Files that are relied on: whole or not there, and on disk when the call returns, whatever happens to the power. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces the file's content. @param mode as of chmod, of the new file */
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

/** Brings a folder's list of names to disk: a rename or a removal is lost with the power before. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes the folder and those above it that are missing; their names are on disk afterwards. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}
