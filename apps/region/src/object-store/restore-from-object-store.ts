/** The jobs restoreFromObjectStore and replaceRoom; the former fetches and checks an object first. */
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { restoreFrom } from '#archives/restore-room.ts'
import type { FileStore } from '#files/file-store.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { ownUnlockedRoom } from '#rooms/find-room.ts'
import type { RestoreJob } from '#rooms/swap-room.ts'
import { withObject } from './fetch-object.ts'

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

function restoreFromObject(job: RestoreJob, source: ObjectStoreLocation): Promise<{ databases: string[] }> {
  // The restore reports its progress from 0 again; the job shows the furthest progress so far.
  return withObject(job, source, (path) => restoreFrom(job, path))
}
