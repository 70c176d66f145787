import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { open, readStream } from '#disk/files.ts'
import { borrowPieces } from './borrowed-pieces.ts'
import { hashInPieces } from './hash-thread.ts'
import { pieceBytes } from './read-pieces.ts'
import { sharedPiece } from './shared-piece.ts'

/** The length of some content in bytes, and its SHA-256 in hexadecimal. */
export interface FileSum {
  size: number
  sha256: string
}

export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<FileSum> {
  const hash = createHash('sha256')
  const content = readStream(path, { highWaterMark: 1 << 20 })
  await pipeline(content, hash, signal ? { signal } : {})
  return { size: content.bytesRead, sha256: hash.digest('hex') }
}

export interface RunningSum {
  add(chunk: Uint8Array): void
  /** Bytes so far. */
  readonly size: number
  /** Call it once, at the end. */
  result(): FileSum
}

export function newSum(): RunningSum {
  const hash = createHash('sha256')
  let size = 0
  return {
    add(chunk) {
      hash.update(chunk)
      size += chunk.byteLength
    },
    get size() {
      return size
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  }
}

/** Yields the same content and adds it to the sum. */
export async function* hashing(content: AsyncIterable<Buffer>, sum: RunningSum): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.add(chunk)
    yield chunk
  }
}

/**
 * Writes the content to a new file and takes its sum.
 * @param report is called with the bytes so far
 * @param expectedBytes how much will come, as far as is known
 * @param wrote is called when so many more bytes are in the file
 */
export async function writeHashed(
  content: AsyncIterable<Buffer>,
  path: string,
  signal: AbortSignal,
  report: (bytes: number) => void = () => {},
  expectedBytes = 0,
  wrote: (bytes: number) => void = () => {},
): Promise<FileSum> {
  const hash = hashInPieces(expectedBytes)
  let size = 0
  try {
    const see = (piece: Uint8Array) => {
      signal.throwIfAborted()
      size += piece.byteLength
      report(size)
      return hash.add(piece)
    }
    await writePieces(content, path, see, wrote)
    return { size, sha256: await hash.digest() }
  } finally {
    hash.drop()
  }
}

/**
 * Writes the content to a new file. The next piece is read, and seen, while the previous one is being written.
 * @param see is called with each piece before it is written; what it returns is awaited before the piece after the next
 * @param wrote is called when so many more bytes are in the file
 */
export async function writePieces(
  content: AsyncIterable<Buffer>,
  path: string,
  see: (piece: Uint8Array) => Promise<void> | void = () => {},
  wrote: (bytes: number) => void = () => {},
): Promise<void> {
  const pieces = borrowPieces()
  const file = await open(path, 'w')
  let writing: Promise<unknown> = Promise.resolve()
  try {
    for await (const piece of inPieces(content, pieces.piece)) {
      const seen = Promise.resolve(see(piece))
      // Awaited below, unless the previous piece could not be written.
      seen.catch(() => undefined)
      await writing
      const { byteLength } = piece
      writing = Promise.all([file.write(piece).then(() => wrote(byteLength)), seen])
      // Awaited for the next piece, or at the end.
      writing.catch(() => undefined)
    }
    await writing
    pieces.giveBack()
  } finally {
    await writing.catch(() => undefined)
    await file.close()
  }
}

/**
 * Gathers small chunks into pieces of a megabyte, because every write goes through another thread, and yields chunks of
 * a megabyte as they are. Two buffers alternate: a piece is valid until the second piece after it is asked for. So must
 * a chunk of that size be (read-pieces.ts). When the content fails, the chunks before the error are still yielded first.
 */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  memory: (bytes: number) => Buffer = sharedPiece,
): AsyncGenerator<Uint8Array> {
  let gathering: Buffer | null = null
  let other: Buffer | null = null
  let bytes = 0
  let failure: { error: unknown } | null = null
  try {
    for await (const chunk of content) {
      if (chunk.byteLength >= pieceBytes) {
        if (bytes > 0 && gathering !== null) {
          yield gathering.subarray(0, bytes)
          ;[gathering, other] = [other, gathering]
          bytes = 0
        }
        yield chunk
        continue
      }
      for (let from = 0; from < chunk.byteLength; ) {
        gathering ??= memory(pieceBytes)
        const part = chunk.subarray(from, from + pieceBytes - bytes)
        gathering.set(part, bytes)
        bytes += part.byteLength
        from += part.byteLength
        if (bytes < pieceBytes) continue
        yield gathering
        ;[gathering, other] = [other, gathering]
        bytes = 0
      }
    }
  } catch (error) {
    failure = { error }
  }
  if (bytes > 0 && gathering !== null) yield gathering.subarray(0, bytes)
  if (failure !== null) throw failure.error
}
