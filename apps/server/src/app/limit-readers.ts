/**
 * Clients that ask and never read the answer would hold a connection, and what waits in it, for ever. Whoever takes
 * something goes on, however slowly. What a client sends meanwhile counts for nothing.
 */
import type { Socket } from 'node:net'

/** @returns what looks whether the client has taken something since the last look, and ends the connection if not */
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
 * How many bytes the kernel has taken over, by the figures that Node's own clock of the connection goes by. The public
 * ones do not tell: they count what waits as written, count texts in characters, and show a large piece of an answer
 * only when all of it has gone.
 */
function progressOf(socket: Socket): { taken: number; waiting: number } {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (!handle) return { taken: 0, waiting: 0 }
  return { taken: handle.bytesWritten - handle.writeQueueSize, waiting: socket.writableLength }
}
