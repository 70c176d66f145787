/**
 * Reads files of databases that SQLite has open. When a process closes any descriptor of a file, it loses all its locks
 * on that file (POSIX), including those that SQLite relies on. Another program would then take the database for unused
 * and remove its WAL file while users go on writing to it. So a descriptor stays open until nothing in this process has
 * the database open, and is closed at that moment.
 */
import { closeSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'
import { watchedSync } from '#disk/files.ts'
import { borrowPieces } from '#files/borrowed-pieces.ts'
import { readPieces } from '#files/read-pieces.ts'
import type { DatabaseHandles } from './database-handles.ts'

export interface LiveReader {
  /** A chunk is valid until the second one after it is asked for: then its memory is used again. */
  read(path: string): AsyncIterable<Buffer>
  /**
   * Call it when only `handles` has connections to these files.
   * @param isUsed nothing reads the chunks any more: their memory may be used again
   */
  close(isUsed: boolean): Promise<void>
}

const readAsync = promisify(read)

export function createLiveReader(handles: DatabaseHandles): LiveReader {
  const opened: { path: string; descriptor: number }[] = []
  const pieces = borrowPieces()
  let reading: Promise<unknown> = Promise.resolve()
  return {
    async *read(path) {
      const descriptor = watchedSync('read', path, () => openSync(path, 'r'))
      opened.push({ path, descriptor })
      const readAt = async (into: Uint8Array, position: number) => {
        const next = readAsync(descriptor, into, 0, into.byteLength, position)
        reading = next.catch(() => undefined)
        return (await next).bytesRead
      }
      yield* readPieces(readAt, 0, Number.POSITIVE_INFINITY, pieces.piece)
    },
    async close(isUsed) {
      await reading
      if (isUsed) pieces.giveBack()
      for (const { path, descriptor } of opened) {
        handles.close(path)
        closeSync(descriptor)
      }
    },
  }
}
