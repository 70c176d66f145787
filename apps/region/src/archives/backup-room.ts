/** The job backupRoom: packs the room into a .zip among the region's files. */
import type { FileStore } from '#files/file-store.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { findOwnRoom } from '#rooms/find-room.ts'
import { packRoom } from './pack-room.ts'

export function backupRoom(files: FileStore): JobKind<'backupRoom'> {
  return {
    check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
    run: (job) =>
      packRoom(job, job.input.kind, async ({ content, expectedBytes }) => {
        const report = (bytes: number) => job.progress(0.3 + (0.7 * bytes) / (expectedBytes + 1))
        const file = await files.produce(job.id, (path) => writeHashed(content, path, job.signal, report))
        job.log(`The backup has ${file.size} bytes.`)
        return file
      }),
  }
}
