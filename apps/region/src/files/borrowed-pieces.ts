/** Memory for the pieces of files that is used again. */
import { createSpareMemory } from '@roomkeeper/region-protocol'
import { pieceBytes } from './read-pieces.ts'
import { sharedPiece } from './shared-piece.ts'

export interface BorrowedPieces {
  /** Memory for at least this many bytes, at most a piece. What is in it is of another file. */
  piece(bytes: number): Buffer
  /**
   * Call it when nothing reads or writes the pieces any more: a late write would end up in another file. Do not call it
   * after a failure, because a write may then be under way: the pieces are left to the garbage collector.
   */
  giveBack(): void
}

/** As many as all jobs and uploads of a busy region use at the same time. */
const spareAtMost = 12
const spare = createSpareMemory<Buffer>(spareAtMost)

export function borrowPieces(): BorrowedPieces {
  const borrowed: Buffer[] = []
  return {
    piece(bytes) {
      if (bytes > pieceBytes) throw new Error(`${bytes} bytes are more than a piece.`)
      const piece = spare.take() ?? sharedPiece(pieceBytes)
      // More could not be given back anyway. A snapshot of many databases takes three for each, and needs them no more after it.
      if (borrowed.length < spareAtMost) borrowed.push(piece)
      return piece
    },
    giveBack() {
      spare.giveBack(borrowed.splice(0))
    },
  }
}
