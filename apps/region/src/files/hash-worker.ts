/** The thread of hash-thread.ts. Answers each request but `drop`, in order. */
import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

/** `id`: of the content. */
export type HashRequest = { id: number; piece: Uint8Array } | { id: number; end: true } | { id: number; drop: true }

export interface HashAnswer {
  /** Hexadecimal; only the answer to `end` has it. */
  digest?: string
}

const hashes = new Map<number, Hash>()

parentPort?.on('message', (request: HashRequest) => {
  const { id } = request
  if ('drop' in request) {
    hashes.delete(id)
    return
  }
  const hash = hashes.get(id) ?? createHash('sha256')
  hashes.set(id, hash)
  const answer: HashAnswer = {}
  if ('piece' in request) hash.update(request.piece)
  else answer.digest = hash.digest('hex')
  parentPort?.postMessage(answer)
})
