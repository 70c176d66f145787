/** Reads the body of an answer as text, but not a body longer than any answer of the protocol. */
import { RegionRefusal } from './errors.ts'

/** Limits for answers and for refusals, in bytes. */
export const longestAnswer = 16 * 1024 * 1024
export const longestRefusal = 64 * 1024

/** The buffer's initial size; it doubles whenever it is full. */
const firstBytes = 16 * 1024

/**
 * The limit counts decompressed bytes. Memory depends on the text's length only, however small the chunks are.
 * @throws {RegionRefusal} when the body is too long; the errors of reading it
 */
export async function boundedText(response: Response, bytesAtMost = longestAnswer): Promise<string> {
  let kept = new Uint8Array(firstBytes)
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    const end = bytes + chunk.byteLength
    // Leaving the loop closes the connection.
    if (end > bytesAtMost) throw new RegionRefusal(502, 'about:blank', 'The region answered more than it may.')
    if (end > kept.byteLength) kept = enlarged(kept, bytes, end)
    kept.set(chunk, bytes)
    bytes = end
  }
  return new TextDecoder().decode(kept.subarray(0, bytes))
}

/** A larger buffer with the bytes so far. */
function enlarged(kept: Uint8Array, bytes: number, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, 2 * kept.byteLength))
  larger.set(kept.subarray(0, bytes))
  return larger
}
