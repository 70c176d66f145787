/**
 * Ends the connections of clients that never read their answer, which would hold the connection and the buffered answer
 * for ever. A client may go on as long as it reads, however slowly. What it sends meanwhile does not count.
 */
import type { Socket } from 'node:net'

/** @returns a check that ends the connection if an answer waits and the client has read nothing since the last check */
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
 * How many bytes the kernel has accepted, from the internal figures that Node uses for its own timeouts. The public
 * figures do not help: they count buffered bytes as written, count strings in characters, and show a large chunk only
 * when all of it was accepted.
 */
function progressOf(socket: Socket): { taken: number; waiting: number } {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (!handle) return { taken: 0, waiting: 0 }
  return { taken: handle.bytesWritten - handle.writeQueueSize, waiting: socket.writableLength }
}
