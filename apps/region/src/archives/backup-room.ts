/**
 * The job backupRoom: packs the room into a .zip among the region's files, which may be read while it is written, or
 * straight into those of another region.
 */
import { RegionRefusal, RegionUnreachable, streamWithTicket } from '@roomkeeper/region-protocol'
import type { FileStore } from '#files/file-store.ts'
import { writeHashed } from '#files/sha256-of-file.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { findOwnRoom } from '#rooms/find-room.ts'
import { type PackedRoom, packRoom } from './pack-room.ts'

export function backupRoom(files: FileStore): JobKind<'backupRoom'> {
  return {
    check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
    run: async (job) => {
      const { kind, digest } = job.input
      const packed = await packRoom(job, { kind, digest }, (room) => store(files, job, room))
      job.log(`The backup has ${packed.size} bytes.`)
      return packed
    },
  }
}

function store(files: FileStore, { id, input, progress }: RunningJob<'backupRoom'>, room: PackedRoom) {
  const { content, expectedBytes, signal } = room
  const report = (bytes: number) => progress(0.3 + (0.7 * bytes) / (expectedBytes + 1))
  const { to } = input
  if (to === undefined)
    return files.growing.during(id, ({ wrote }) =>
      files.produce(id, (path) =>
        writeHashed(content, path, signal, report, expectedBytes, (bytes) => wrote(path, bytes)),
      ),
    )
  const sending = streamWithTicket(to, reporting(content, report), signal)
  return unlessSent(sending, signal).then((sum) => ({ file: to.file, ...sum }))
}

/** Turns what the other region, or the way to it, has failed with into a refusal. @throws {Refusal} 'file-not-sent' */
async function unlessSent<T>(sending: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await sending
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RegionRefusal || error instanceof RegionUnreachable)) throw error
    throw refuse('file-not-sent', { reason: error.message })
  }
}

async function* reporting(content: AsyncIterable<Buffer>, report: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    yield chunk
    bytes += chunk.byteLength
    report(bytes)
  }
}
