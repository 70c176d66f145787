/**
 * How many workers of a test runner work at once, where that changes while it runs: two halves of the tests that run
 * side by side have three workers between them, and what ends first leaves its place to the other. A worker asks for a
 * lane by a connection, which it keeps as long as it works; lanes are given in the order of asking. When this process
 * dies, the connections break, and nobody waits for ever: see packages/dev-env/src/wait-for-lane.ts.
 */
import { createServer } from 'node:net'

/** The environment variable with the port where a runner's workers ask. */
export const lanesVariable = 'ROOMKEEPER_LANES'

/**
 * @param {number} count how many lanes there are at first
 * @typedef {object} Lanes
 * @property {Record<string, string>} env for the runner
 * @property {() => void} add one lane more
 * @property {() => { working: number, waiting: number }} counts workers
 * @property {() => void} close whoever waits or asks goes on
 * @returns {Promise<Lanes>}
 */
export async function openLanes(count) {
  const taken = new Set()
  const waiting = []
  let lanes = count
  const give = () => {
    while (taken.size < lanes && waiting.length > 0) {
      const socket = waiting.shift()
      taken.add(socket)
      socket.write('.')
    }
  }
  const server = createServer((socket) => {
    waiting.push(socket)
    socket.resume()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      if (!taken.delete(socket)) waiting.splice(waiting.indexOf(socket), 1)
      give()
    })
    give()
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    env: { [lanesVariable]: String(server.address().port) },
    add() {
      lanes += 1
      give()
    },
    counts: () => ({ working: taken.size, waiting: waiting.length }),
    close() {
      server.close()
      for (const socket of [...taken, ...waiting]) socket.destroy()
    },
  }
}
