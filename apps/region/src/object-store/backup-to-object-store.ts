/** The job backupToObjectStore: streams the room as a .zip into an object, reads it back and compares. */

import { packRoom } from '#archives/pack-room.ts'
import { hashing, newSum } from '#files/sha256-of-file.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { findOwnRoom } from '#rooms/find-room.ts'
import { openObject, type StoredObject } from './open-object.ts'

type Job = RunningJob<'backupToObjectStore'>

export const backupToObjectStore: JobKind<'backupToObjectStore'> = {
  check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
  run: async (job) => {
    const object = openObject(job.input.target, job.signal)
    try {
      return await packRoom(job, { kind: 'room' }, async ({ content, expectedBytes }) => {
        const sum = newSum()
        const uploading = reporting(hashing(content, sum), (bytes) => job.progress(0.3 + (0.4 * bytes) / expectedBytes))
        await object.write(uploading, expectedBytes)
        const written = sum.result()
        job.log(`Written to ${object.location}: ${written.size} bytes.`)
        await compare(job, object, written)
        job.log('Read back; size and SHA-256 are the same.')
        return { location: object.location, ...written }
      })
    } finally {
      object.close()
    }
  },
}

/** @throws {Refusal} 'object-differs' */
async function compare(job: Job, object: StoredObject, written: { size: number; sha256: string }): Promise<void> {
  const { content } = await object.read()
  const sum = newSum()
  for await (const chunk of content) {
    sum.add(chunk)
    if (sum.size > written.size) throw refuse('object-differs')
    job.progress(0.7 + (0.3 * sum.size) / (written.size + 1))
  }
  const found = sum.result()
  if (found.size !== written.size || found.sha256 !== written.sha256) throw refuse('object-differs')
}

async function* reporting(content: AsyncIterable<Buffer>, report: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    // The upload keeps several chunks at once.
    yield Buffer.from(chunk)
    bytes += chunk.byteLength
    report(bytes)
  }
}
