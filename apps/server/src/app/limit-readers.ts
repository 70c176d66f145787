/**
 * Ends connections whose client never reads the answer, which would hold the connection and the buffered answer for
 * ever. A client that reads may continue, however slowly. Whatever it sends meanwhile does not count.
 */
import type { Socket } from 'node:net'

/** @returns a check that ends the connection when the client has read nothing since the last check */
export function watchReader(socket: Socket): () => void {
  let lastTaken: number | null = null
  return () => {
    const { taken, waiting } = progressOf(socket)
    if (waiting > 0 && taken === lastTaken) socket.destroy()
    lastTaken = waiting > 0 ? taken : null
  }
}

interface Handle {
  bytesWritten: number
  writeQueueSize: number
}

/**
 * How many bytes the kernel has accepted, from the counters that Node itself uses for time-outs. The public counters do
 * not help: they count buffered bytes as written, count strings in characters, and show a large chunk only once all of
 * it has been sent.
 */
function progressOf(socket: Socket): { taken: number; waiting: number } {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (!handle) return { taken: 0, waiting: 0 }
  return { taken: handle.bytesWritten - handle.writeQueueSize, waiting: socket.writableLength }
}
