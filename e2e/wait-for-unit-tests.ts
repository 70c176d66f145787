/** With the unit tests beside them, all workers of the browser tests but the first wait until those are through. */
import { connect } from 'node:net'

/**
 * @param port where scripts/tests/hold-workers.mjs listens until workers may go on; undefined: nothing is waited for
 * @param worker 0 is the first, which never waits
 */
export async function waitForUnitTests(port: string | undefined, worker: number): Promise<void> {
  if (port === undefined || worker === 0) return
  const socket = connect(Number(port), '127.0.0.1')
  // Nobody listens any more: the unit tests are through. `close` follows.
  socket.on('error', () => undefined)
  socket.resume()
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}
