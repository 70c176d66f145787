/**
 * Files that can be read while jobs are making them. A reader has an open file of its own and hears only how much is
 * written: it can neither slow down the writer nor make anything wait in memory for it. Its content ends when the file
 * is whole, and fails when it never becomes so.
 */
import { Readable } from 'node:stream'
import { openToRead, type ReadableFile } from '#disk/files.ts'

export interface GrowingFiles {
  /** Makes a file that can be read under this id until `make` has ended: then it is whole, or it is not made. */
  during<T>(id: string, make: (growth: Growth) => Promise<T>): Promise<T>
  /** Undefined: no file is being made under this id, or nothing of it is written yet. */
  follow(id: string): Promise<Readable | undefined>
}

export interface Growth {
  /** Called when so many more bytes can be read at this path. */
  wrote(path: string, bytes: number): void
}

interface GrowingFile {
  path: string | null
  written: number
  state: 'growing' | 'whole' | 'given-up'
  /** Called at every change. */
  waiting: Set<() => void>
  readers: Set<Readable>
}

/** How much is read and sent at once, as of other files. */
const pieceBytes = 1 << 18

export function createGrowingFiles(): GrowingFiles {
  const growing = new Map<string, GrowingFile>()
  return {
    async during(id, make) {
      const file: GrowingFile = { path: null, written: 0, state: 'growing', waiting: new Set(), readers: new Set() }
      growing.set(id, file)
      try {
        const made = await make({
          wrote(path, bytes) {
            file.path = path
            file.written += bytes
            wake(file)
          },
        })
        file.state = 'whole'
        return made
      } finally {
        if (file.state === 'growing') giveUp(file)
        if (growing.get(id) === file) growing.delete(id)
        wake(file)
      }
    },
    async follow(id) {
      const file = growing.get(id)
      if (file === undefined || file.path === null) return undefined
      const opened = await openToRead(file.path)
      const reader = Readable.from(contentOf(file, opened), { objectMode: false })
      // A reader that is ended before it begins does not start the generator, which would close the file.
      reader.once('close', () => {
        file.readers.delete(reader)
        void opened.close()
      })
      // The code that sends the file gets the error, too, but the reader may fail before that code listens.
      reader.on('error', () => undefined)
      file.readers.add(reader)
      if (file.state === 'given-up') giveUp(file)
      return reader
    },
  }
}

/**
 * Ends the readers at once, also those whose client takes nothing: the file's space is free only when no reader has it
 * open.
 */
function giveUp(file: GrowingFile): void {
  file.state = 'given-up'
  for (const reader of file.readers) reader.destroy(notMade())
}

function wake({ waiting }: GrowingFile): void {
  const woken = [...waiting]
  waiting.clear()
  for (const resolve of woken) resolve()
}

async function* contentOf(file: GrowingFile, opened: ReadableFile): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    if (file.state === 'given-up') throw notMade()
    const bytes = Math.min(file.written - position, pieceBytes)
    if (bytes > 0) {
      const piece = Buffer.allocUnsafeSlow(bytes)
      const read = await opened.readAt(piece, position)
      if (read === 0) throw new Error('A file that is being made became shorter.')
      position += read
      yield piece.subarray(0, read)
    } else if (file.state === 'whole') return
    else await new Promise<void>((resolve) => file.waiting.add(resolve))
  }
}

function notMade(): Error {
  return new Error('The file was not made.')
}
