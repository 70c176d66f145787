/** Writes to all event streams of a process regularly, and ends those of callers who lost their access. */
import type { PassThrough } from 'node:stream'
import { whoHasGone } from '#operators/index.ts'
import type { Db } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import type { Scheduler } from '#platform/recurring.ts'

export interface ReadStream {
  stream: PassThrough
  caller: Caller
  address: string
}

/** @returns a function that adds a stream until the signal fires */
export function createBeats(db: Db, scheduler: Scheduler): (read: ReadStream, over: AbortSignal) => void {
  const streams = new Set<ReadStream>()
  scheduler.start({
    name: 'heartbeat of event streams',
    everySeconds: 15,
    scope: 'process',
    ignoresClock: true,
    async run() {
      if (streams.size === 0) return
      const asked = [...streams]
      const gone = await whoHasGone(db, asked).catch(() => new Set<ReadStream>())
      for (const read of asked) {
        if (!streams.has(read)) continue
        if (gone.has(read)) read.stream.end()
        else read.stream.write(': beat\n\n')
      }
    },
  })
  return (read, over) => {
    streams.add(read)
    over.addEventListener('abort', () => streams.delete(read), { once: true })
  }
}
