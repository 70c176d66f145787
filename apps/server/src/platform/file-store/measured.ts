/** Passes content on until it ends or is aborted, and knows afterwards how much it was. */
import { createHash } from 'node:crypto'
import type { StoredFile } from '../file-store.ts'

export interface Measured {
  content: AsyncGenerator<Uint8Array>
  /** Of what has passed. */
  result(): StoredFile
  /** What the content failed with, if it did: then the store is not to blame. */
  failure(): unknown
}

export function measured(content: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Measured {
  const hash = createHash('sha256')
  let size = 0
  let failure: unknown
  async function* pass() {
    try {
      for await (const bytes of stoppable(content, signal)) {
        hash.update(bytes)
        size += bytes.length
        yield bytes
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { content: pass(), result: () => ({ size, sha256: hash.digest('hex') }), failure: () => failure }
}

/** Ends with the signal also while the next piece is awaited, which no generator does by itself. */
async function* stoppable(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await nextOrStop(pieces, signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: it resolves only when the piece under way has arrived.
    pieces.return?.().catch(() => undefined)
  }
}

function nextOrStop(
  pieces: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (signal === undefined) return pieces.next()
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  pieces
    .next()
    .then(resolve, reject)
    .finally(() => signal.removeEventListener('abort', stop))
  return promise
}
