/** Copies of chunks that are handed to a connection, in memory that is used again. */
import { createSpareMemory } from '../spare-memory.ts'

export interface Copies {
  /** A copy, which is valid until the third large one after it is asked for. */
  of(chunk: Uint8Array): Uint8Array
  /** Call it when the connection has passed all of them on. */
  giveBack(): void
}

/**
 * A connection asks for the next chunk only when it has passed on all but its own 64 KiB; with three in turn, even one
 * that holds the last two is safe. If one held more, the digest of what arrives would be wrong.
 */
const copiesInTurn = 3
const largeBytes = 64 * 1024
const copyBytes = 1024 * 1024
const spare = createSpareMemory<Buffer[]>(4)

export function takeCopies(): Copies {
  const buffers = spare.take() ?? []
  let count = 0
  return {
    of(chunk) {
      if (chunk.byteLength < largeBytes || chunk.byteLength > copyBytes) return Buffer.from(chunk)
      const nth = count % copiesInTurn
      count += 1
      const buffer = buffers[nth] ?? Buffer.allocUnsafeSlow(copyBytes)
      buffers[nth] = buffer
      buffer.set(chunk)
      return buffer.subarray(0, chunk.byteLength)
    },
    giveBack: () => spare.giveBack([buffers]),
  }
}
