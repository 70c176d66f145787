/**
 * Gives the memory of buffers back while large files pass. V8 looks through its whole heap whenever a few megabytes of
 * buffers were made, however soon each is given up: a file that passes through the server then costs twice the CPU.
 * Collecting only what is young, before that happens, costs a tenth, and no memory. Without the flag `--expose-gc`, which
 * `npm start` and deploy/ set, only this saving is lost.
 */
const everyBytes = 4 * 1024 * 1024
let bytesSince = 0

/** Called with the length of each piece of a file that passes. */
export function giveBackBuffers(bytes: number): void {
  bytesSince += bytes
  if (bytesSince < everyBytes) return
  bytesSince = 0
  void globalThis.gc?.({ type: 'minor' })
}
