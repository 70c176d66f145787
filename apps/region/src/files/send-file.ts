/** The job sendFile: sends a file of this region to another one, which has given a ticket for it. */
import { RegionRefusal, RegionUnreachable, sendWithTicket } from '@roomkeeper/region-protocol'
import { readStream } from '#disk/files.ts'
import type { JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { findOwnRoom } from '#rooms/find-room.ts'
import type { FileStore } from './file-store.ts'

export function sendFile(files: FileStore): JobKind<'sendFile'> {
  return {
    check: (region, input) => void findOwnRoom(region, input.room, input.roomId),
    run: async ({ input, signal, progress, log }) => {
      const { path, size, sha256 } = await files.contentOf(input.file)
      const source = {
        size,
        sha256,
        async *open(firstByte: number, ended: AbortSignal) {
          let sent = firstByte
          const content = readStream(path, { start: firstByte, highWaterMark: pieceBytes })
          ended.addEventListener('abort', () => content.destroy(), { once: true })
          for await (const piece of content as AsyncIterable<Buffer>) {
            yield piece
            sent += piece.byteLength
            progress(sent / size)
          }
        },
      }
      await unlessSent(sendWithTicket(input.to, source, signal), signal)
      log(`The file has ${size} bytes.`)
      return { size, sha256 }
    },
  }
}

/** Turns what the other region, or the way to it, has failed with into a refusal. @throws {Refusal} 'file-not-sent' */
export async function unlessSent<T>(sending: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await sending
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RegionRefusal || error instanceof RegionUnreachable)) throw error
    throw refuse('file-not-sent', { reason: error.message })
  }
}

const pieceBytes = 1 << 18
