import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { open, readStream } from '#disk/files.ts'
import { pieceBytes } from './read-pieces.ts'

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

/** Writes the content to a new file and takes its sum. @param report is called with the bytes so far */
export async function writeHashed(
  content: AsyncIterable<Buffer>,
  path: string,
  signal: AbortSignal,
  report: (bytes: number) => void = () => {},
): Promise<FileSum> {
  const sum = newSum()
  await writePieces(content, path, (piece) => {
    signal.throwIfAborted()
    sum.add(piece)
    report(sum.size)
  })
  return sum.result()
}

/**
 * Writes the content to a new file. The next piece is read, and seen, while the previous one is being written.
 * @param see is called with each piece before it is written
 */
export async function writePieces(
  content: AsyncIterable<Buffer>,
  path: string,
  see: (piece: Uint8Array) => void = () => {},
): Promise<void> {
  const file = await open(path, 'w')
  let writing = Promise.resolve()
  try {
    for await (const piece of inPieces(content)) {
      see(piece)
      await writing
      writing = file.write(piece)
      // Awaited for the next piece, or at the end.
      writing.catch(() => undefined)
    }
    await writing
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
export async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
        gathering ??= Buffer.allocUnsafeSlow(pieceBytes)
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
