/** Finds the files of a region that contain a text. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { RegionProcess } from './region-process.ts'

/** The paths, within the data folder, of all files that contain this text. */
export async function filesThatHold({ dataDir }: RegionProcess, text: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)))
  return paths.filter((_, index) => found[index]).map((path) => relative(dataDir, path))
}
