/**
 * While the unit tests run, they and one worker of the browser tests keep two cores busy; afterwards that worker would
 * leave one of them idle. So Playwright has two workers, and the second waits until it is released. It waits on an open
 * connection: when this process dies, the connection breaks, and nobody waits for ever.
 */
import { createServer } from 'node:net'

/** The environment variable with the port that waiting workers connect to: see e2e/wait-for-unit-tests.ts. */
export const heldWorkersVariable = 'ROOMKEEPER_HELD_WORKERS'

/** @returns {Promise<{ env: Record<string, string>, release: () => void }>} env for Playwright */
export async function holdWorkers() {
  const waiting = new Set()
  const server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => waiting.delete(socket))
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    env: { [heldWorkersVariable]: String(server.address().port) },
    release() {
      server.close()
      for (const socket of waiting) socket.destroy()
    },
  }
}
