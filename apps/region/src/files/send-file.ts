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
      await sendWithTicket(input.to, source, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        if (!(error instanceof RegionRefusal || error instanceof RegionUnreachable)) throw error
        throw refuse('file-not-sent', { reason: error.message })
      })
      log(`The file has ${size} bytes.`)
      return { size, sha256 }
    },
  }
}

const pieceBytes = 1 << 18
