/** Reads files in large pieces, and the next one while the last one is used. */

import { sharedPiece } from './shared-piece.ts'

/** How much of a file is read or written by one call: each goes through another thread. */
export const pieceBytes = 1 << 20

/** One piece is used, one perhaps still being written, one being read. */
const buffersInTurn = 3

/**
 * Yields the content from `start` up to `end`, or up to the end of the file, in pieces of `pieceBytes`; only the last
 * may be shorter. A piece is valid until the second piece after it is asked for: then its memory is used again.
 * @param readAt returns 0 at the end of the file; it may read less than it could
 * @param memory gives a piece for at least this many bytes
 */
export async function* readPieces(
  readAt: (into: Uint8Array, position: number) => Promise<number>,
  start = 0,
  end = Number.POSITIVE_INFINITY,
  memory: (bytes: number) => Buffer = sharedPiece,
): AsyncGenerator<Buffer> {
  const buffers = new Map<number, Buffer>()
  const read = async (nth: number): Promise<Buffer> => {
    const position = start + nth * pieceBytes
    const buffer = buffers.get(nth % buffersInTurn) ?? memory(Math.min(pieceBytes, end - start))
    buffers.set(nth % buffersInTurn, buffer)
    const wanted = Math.min(buffer.byteLength, end - position)
    for (let bytes = 0; ; ) {
      const more = bytes < wanted ? await readAt(buffer.subarray(bytes, wanted), position + bytes) : 0
      bytes += more
      if (more === 0) return buffer.subarray(0, bytes)
    }
  }
  let next = read(0)
  try {
    for (let nth = 0; ; nth += 1) {
      const piece = await next
      const isLast = piece.byteLength < pieceBytes || start + (nth + 1) * pieceBytes >= end
      if (!isLast) next = read(nth + 1)
      // The loop awaits it for the next piece, unless the reader stops before that.
      next.catch(() => undefined)
      if (piece.byteLength > 0) yield piece
      if (isLast) return
    }
  } finally {
    // The file may be closed when this has ended.
    await next.catch(() => undefined)
  }
}
