/** Fetches an object into a temporary folder. */
import { dirname, join } from 'node:path'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { discard } from '#disk/discard.ts'
import { mkdir } from '#disk/files.ts'
import { refuseWithoutSpace, refusingWhenFull } from '#disk/free-space.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { openObject } from './open-object.ts'

interface Fetching {
  region: Region
  signal: AbortSignal
  log(text: string): void
  progress(fraction: number): void
}

/** The object is removed when the work has ended. @throws {Refusal} when it cannot be read, or not whole */
export async function withObject<T>(
  fetching: Fetching,
  source: ObjectStoreLocation,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = fetching.region.folders.work()
  try {
    await mkdir(folder)
    const path = join(folder, 'backup.zip')
    await fetchObject(fetching, source, path)
    return await work(path)
  } finally {
    await discard(folder)
  }
}

async function fetchObject({ signal, log, progress }: Fetching, source: ObjectStoreLocation, path: string) {
  const object = openObject(source, signal)
  try {
    const { size, content } = await object.read()
    if (size === null) throw refuse('object-store-unreachable', { reason: 'it does not say how long the object is' })
    await refuseWithoutSpace(dirname(path), size)
    const guarded = refusingWhenFull(content, dirname(path))
    const fetched = await writeHashed(guarded, path, signal, (bytes) => progress((0.3 * bytes) / (size + 1)))
    if (fetched.size !== size) throw refuse('object-store-unreachable', { reason: 'its answer broke off' })
    log(`Fetched ${object.location}: ${size} bytes.`)
  } finally {
    object.close()
  }
}
