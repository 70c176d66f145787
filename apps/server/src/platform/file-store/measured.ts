/** Passes content on until it ends or is aborted, and computes its size and, unless it is known, its hash. */
import { createHash } from 'node:crypto'
import type { StoredFile } from '../file-store.ts'
import { giveBackBuffers } from './give-back-buffers.ts'

export interface Measured {
  content: AsyncGenerator<Uint8Array>
  /** Describes the content that has passed. */
  result(): StoredFile
  /** The error of the content itself, if it failed; the store is not to blame then. */
  failure(): unknown
}

/** @param sha256 of content that fails when it is any other; a function is asked when the content has passed */
export function measured(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  sha256?: string | (() => string),
): Measured {
  const hash = sha256 === undefined ? createHash('sha256') : null
  let size = 0
  let failure: unknown
  async function* pass() {
    try {
      for await (const bytes of stoppable(content, signal)) {
        hash?.update(bytes)
        size += bytes.length
        yield bytes
        giveBackBuffers(bytes.length)
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  return {
    content: pass(),
    result: () => ({ size, sha256: (typeof sha256 === 'function' ? sha256() : sha256) ?? hash?.digest('hex') ?? '' }),
    failure: () => failure,
  }
}

/** Ends when the signal fires, even while the next piece is awaited; a plain generator would wait for the piece. */
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
    // Not awaited: it resolves only once the pending piece has arrived.
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
