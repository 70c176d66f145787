/** A source of bytes, such as a stored file, of which any range can be read. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import type { FileStore } from '#platform/file-store.ts'

export interface ByteSource {
  /** In bytes. */
  size: number
  /** `start` and `end` are both inclusive. */
  open(range: { start: number; end: number }): Promise<Readable>
}

export function storedFile(store: FileStore, file: { storeKey: string; size: number }): ByteSource {
  return { size: file.size, open: (range) => store.open(file.storeKey, range) }
}

const windowBytes = 256 * 1024

/** For yauzl, which reads a few bytes at a time. A buffered window keeps the number of requests to the store low. */
export class SourceReader extends yauzl.RandomAccessReader {
  /** The error, if the source itself could not be read. Then the archive is not to blame. */
  failure: unknown
  readonly #source: ByteSource
  #window = { start: 0, bytes: Buffer.alloc(0) }

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  override read(into: Buffer, offset: number, length: number, position: number, done: ReadDone): void {
    this.#bytesAt(position, length).then(
      (bytes) => done(null, bytes.copy(into, offset)),
      (error: Error) => done(error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end))
  }

  /** At most so many bytes from the end. */
  tail(length: number): Promise<Buffer> {
    const bytes = Math.min(length, this.#source.size)
    return this.#bytesAt(this.#source.size - bytes, bytes)
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window
    if (position >= start && position + length <= start + bytes.length)
      return bytes.subarray(position - start, position - start + length)
    if (position < 0 || position + length > this.#source.size) return Buffer.alloc(0)
    const end = Math.min(position + Math.max(length, windowBytes), this.#source.size)
    this.#window = { start: position, bytes: await buffer(this.#pieces(position, end)) }
    return this.#window.bytes.subarray(0, length)
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    try {
      yield* await this.#source.open({ start, end: end - 1 })
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

type ReadDone = (error: Error | null, bytesRead?: number) => void
