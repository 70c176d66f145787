/**
 * Takes the digests of large contents in a second thread, while the first one receives, reads or checks what follows.
 * The thread starts with the first of them and ends when there has been none for a while.
 */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hash-worker.ts'
import { pieceBytes } from './read-pieces.ts'
import { sharedPiece } from './shared-piece.ts'

/** The SHA-256 of content that comes in pieces. */
export interface PieceHash {
  /** Resolves when the piece's memory may be used again. Pieces are digested in the order of the calls. */
  add(piece: Uint8Array): Promise<void>
  /** Hexadecimal. Call it once, at the end. */
  digest(): Promise<string>
  /** Call it when the digest is not wanted any more. */
  drop(): void
  /** True if the thread has ended, and with it what was digested so far. */
  readonly isLost: boolean
}

/** Below, asking another thread takes longer than it saves. */
const largeBytes = 32 * pieceBytes

/** @param expectedBytes how much will come, as far as is known */
export function hashInPieces(expectedBytes: number): PieceHash {
  return expectedBytes < largeBytes ? hashHere() : hashInThread()
}

function hashHere(): PieceHash {
  const hash = createHash('sha256')
  return {
    async add(piece) {
      hash.update(piece)
    },
    digest: async () => hash.digest('hex'),
    drop: () => undefined,
    isLost: false,
  }
}

function hashInThread(): PieceHash {
  const thread = takeThread()
  thread.uses += 1
  const id = nextId++
  let isDropped = false
  const drop = () => {
    if (isDropped) return
    isDropped = true
    thread.worker.postMessage({ id, drop: true } satisfies HashRequest)
    giveBack(thread)
  }
  /** Used again, because V8 does not see how large shared memory is, and would let it grow for long. */
  const copies: Buffer[] = []
  return {
    async add(piece) {
      // Only memory that both threads see is passed without a copy.
      if (piece.buffer instanceof SharedArrayBuffer) return void (await ask(thread, { id, piece }))
      const isLarger = piece.byteLength > pieceBytes
      const copy = isLarger ? sharedPiece(piece.byteLength) : (copies.pop() ?? sharedPiece(pieceBytes))
      copy.set(piece)
      await ask(thread, { id, piece: copy.subarray(0, piece.byteLength) })
      if (!isLarger) copies.push(copy)
    },
    async digest() {
      try {
        return (await ask(thread, { id, end: true })) ?? ''
      } finally {
        drop()
      }
    },
    drop,
    get isLost() {
      return thread.failure !== null
    },
  }
}

interface Thread {
  worker: Worker
  /** How many contents are being digested. */
  uses: number
  /** In the order in which they were asked: the thread answers in this order. */
  waiting: { resolve(digest: string | undefined): void; reject(error: Error): void }[]
  failure: Error | null
  ending: NodeJS.Timeout | undefined
}

let kept: Thread | null = null
let nextId = 0
const idleMilliseconds = 60_000

function takeThread(): Thread {
  if (kept === null || kept.failure !== null) kept = startThread()
  clearTimeout(kept.ending)
  return kept
}

function startThread(): Thread {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url))
  const thread: Thread = { worker, uses: 0, waiting: [], failure: null, ending: undefined }
  worker.unref()
  worker.on('message', ({ digest }: HashAnswer) => {
    thread.waiting.shift()?.resolve(digest)
    if (thread.waiting.length === 0) worker.unref()
  })
  const fail = (error: Error) => {
    thread.failure ??= error
    for (const { reject } of thread.waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that takes digests has ended.')))
  return thread
}

function ask(thread: Thread, request: HashRequest): Promise<string | undefined> {
  if (thread.failure !== null) return Promise.reject(thread.failure)
  return new Promise((resolve, reject) => {
    thread.worker.postMessage(request)
    // The answer cannot come before this. Had the request not been sent, all later answers would go to the wrong one.
    thread.waiting.push({ resolve, reject })
    thread.worker.ref()
  })
}

function giveBack(thread: Thread): void {
  thread.uses -= 1
  if (thread.uses > 0) return
  thread.ending = setTimeout(() => {
    if (kept === thread) kept = null
    void thread.worker.terminate()
  }, idleMilliseconds).unref()
}
