/** Memory for a piece of a file, which another thread can read where it is (hash-thread.ts). */
export function sharedPiece(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
