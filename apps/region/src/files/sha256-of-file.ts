import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { open, readStream } from '#disk/files.ts'

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

/** Writes the content to a new file. @param see is called with each piece before it is written */
export async function writePieces(
  content: AsyncIterable<Buffer>,
  path: string,
  see: (piece: Buffer) => void = () => {},
): Promise<void> {
  const file = await open(path, 'w')
  try {
    for await (const piece of inPieces(content)) {
      see(piece)
      await file.write(piece)
    }
  } finally {
    await file.close()
  }
}

const pieceBytes = 1 << 20

/**
 * Gathers small chunks into pieces of about a megabyte, because every write goes through another thread. When the
 * content fails, the chunks before the error are still yielded first.
 */
export async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  const taken = () => {
    const [first = Buffer.alloc(0)] = held
    const piece = held.length === 1 ? first : Buffer.concat(held, bytes)
    held = []
    bytes = 0
    return piece
  }
  let failure: { error: unknown } | null = null
  try {
    for await (const chunk of content) {
      held.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= pieceBytes) yield taken()
    }
  } catch (error) {
    failure = { error }
  }
  if (bytes > 0) yield taken()
  if (failure !== null) throw failure.error
}
