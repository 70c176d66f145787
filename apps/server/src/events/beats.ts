/** Tells the readers of all streams of a process at once that they live, and ends those of callers who do not any more. */
import type { PassThrough } from 'node:stream'
import { whoHasGone } from '#operators/index.ts'
import type { Db } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'

const beatMilliseconds = 15_000

export interface ReadStream {
  stream: PassThrough
  caller: Caller
  address: string
}

/** @returns takes a stream in until the signal fires */
export function createBeats(db: Db): (read: ReadStream, over: AbortSignal) => void {
  const streams = new Set<ReadStream>()
  let beating: NodeJS.Timeout | undefined

  const beat = async () => {
    const asked = [...streams]
    const gone = await whoHasGone(db, asked).catch(() => new Set<ReadStream>())
    for (const read of asked) {
      if (!streams.has(read)) continue
      if (gone.has(read)) read.stream.end()
      else read.stream.write(': beat\n\n')
    }
  }
  return (read, over) => {
    streams.add(read)
    beating ??= setInterval(() => void beat(), beatMilliseconds)
    over.addEventListener(
      'abort',
      () => {
        streams.delete(read)
        if (streams.size > 0) return
        clearInterval(beating)
        beating = undefined
      },
      { once: true },
    )
  }
}
