/**
 * Gives the memory of buffers back while large files pass. V8 looks through its whole heap whenever a few megabytes of
 * buffers were made, however soon each is given up: for a file that passes through the server this cost several times
 * what everything else did. Collecting only what is young, before that happens, costs a tenth, and no memory.
 */
import { garbageCollector } from '../garbage-collector.ts'

const everyBytes = 4 * 1024 * 1024
let bytesSince = 0
let collect: ReturnType<typeof garbageCollector> | undefined

/** Called with the length of each piece of a file that passes. */
export function giveBackBuffers(bytes: number): void {
  bytesSince += bytes
  if (bytesSince < everyBytes) return
  bytesSince = 0
  collect ??= garbageCollector()
  collect({ type: 'minor' })
}
