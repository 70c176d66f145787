/** The jobs restoreFromObjectStore and replaceRoom; the former fetches and checks an object first. */
import { dirname, join } from 'node:path'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { restoreFrom } from '#archives/restore-room.ts'
import { discard } from '#disk/discard.ts'
import { mkdir } from '#disk/files.ts'
import { refuseWithoutSpace, refusingWhenFull } from '#disk/free-space.ts'
import type { FileStore } from '#files/file-store.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import type { RestoreJob } from '#rooms/swap-room.ts'
import { openObject } from './open-object.ts'

export const restoreFromObjectStore: JobKind<'restoreFromObjectStore'> = {
  check: (region, input) => void ownUnlockedRoom(region, input),
  run: async (job) => {
    ownUnlockedRoom(job.region, job.input)
    return restoreFromObject(job, job.input.source)
  },
}

/** Like restoreRoom or restoreFromObjectStore, but what the room held is kept: see kept-content.ts. */
export function replaceRoom(files: FileStore): JobKind<'replaceRoom'> {
  return {
    check: (region, input) => void ownUnlockedRoom(region, input),
    run: async (job) => {
      ownUnlockedRoom(job.region, job.input)
      const { from } = job.input
      return 'source' in from
        ? restoreFromObject(job, from.source)
        : restoreFrom(job, (await files.contentOf(from.file)).path)
    },
  }
}

async function restoreFromObject(job: RestoreJob, source: ObjectStoreLocation): Promise<{ databases: string[] }> {
  const work = job.region.folders.work()
  try {
    await mkdir(work)
    const path = join(work, 'backup.zip')
    await fetchObject(job, source, path)
    // The restore reports its progress from 0 again; the job shows the furthest progress so far.
    return await restoreFrom(job, path)
  } finally {
    await discard(work)
  }
}

async function fetchObject({ signal, log, progress }: RestoreJob, source: ObjectStoreLocation, path: string) {
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
