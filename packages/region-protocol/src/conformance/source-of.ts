import { createHash } from 'node:crypto'
import type { RegionFileSource } from '../client/file-transfer.ts'

/** A file for `putFile` with this content. */
export function sourceOf(bytes: Uint8Array): RegionFileSource {
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: async function* (firstByte) {
      yield bytes.subarray(firstByte)
    },
  }
}
