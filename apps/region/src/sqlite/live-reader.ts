/**
 * Reads files of databases that SQLite has open. When a process closes any descriptor of a file, it loses all its locks
 * on that file (POSIX), including those that SQLite relies on. Another program would then take the database for unused
 * and remove its WAL file while users go on writing to it. So a descriptor stays open until nothing in this process has
 * the database open, and is closed at that moment.
 */
import { closeSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { watchedSync } from '#disk/files.ts'
import type { DatabaseHandles } from './database-handles.ts'

export interface LiveReader {
  /** A chunk is valid only until the next one is asked for: its memory is used again. */
  read(path: string): AsyncIterable<Buffer>
  /** Call it when only `handles` has connections to these files. */
  close(): Promise<void>
}

const pieceBytes = 1 << 20
const readAsync = promisify(read)

export function createLiveReader(handles: DatabaseHandles): LiveReader {
  const opened: { path: string; descriptor: number }[] = []
  let reading: Promise<unknown> = Promise.resolve()
  return {
    async *read(path) {
      const descriptor = watchedSync('read', path, () => openSync(path, 'r'))
      opened.push({ path, descriptor })
      // While one piece is used, the next is being read into the other.
      let [piece, other] = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)]
      const readAt = (into: typeof piece, position: number) => {
        const next = readAsync(descriptor, into, 0, pieceBytes, position)
        reading = next.catch(() => undefined)
        return next
      }
      let next = readAt(piece, 0)
      for (let position = 0; ; ) {
        const { bytesRead } = await next
        if (bytesRead === 0) return
        position += bytesRead
        next = readAt(other, position)
        // Awaited for the next piece, unless nobody asks for it.
        next.catch(() => undefined)
        yield piece.subarray(0, bytesRead)
        ;[piece, other] = [other, piece]
      }
    },
    async close() {
      await reading
      for (const { path, descriptor } of opened) {
        handles.close(path)
        closeSync(descriptor)
      }
    },
  }
}
