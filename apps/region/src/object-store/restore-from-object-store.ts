/** The job restoreFromObjectStore: fetches and checks an object, and replaces the room's content by it. */
import { dirname, join } from 'node:path'
import { restoreFrom } from '#archives/restore-room.ts'
import { discard } from '#disk/discard.ts'
import { mkdir } from '#disk/files.ts'
import { refuseWithoutSpace, refusingWhenFull } from '#disk/free-space.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import { openObject } from './open-object.ts'

export const restoreFromObjectStore: JobKind<'restoreFromObjectStore'> = {
  check: (region, input) => void ownUnlockedRoom(region, input),
  run: async (job) => {
    ownUnlockedRoom(job.region, job.input)
    const work = job.region.folders.work()
    try {
      await mkdir(work)
      const path = join(work, 'backup.zip')
      await fetchObject(job, path)
      // The restore reports its progress from 0 again; the job shows the furthest progress so far.
      return await restoreFrom(job, path)
    } finally {
      await discard(work)
    }
  },
}

async function fetchObject({ input, signal, log, progress }: RunningJob<'restoreFromObjectStore'>, path: string) {
  const object = openObject(input.source, signal)
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
