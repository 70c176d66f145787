/** A worker of a test runner waits until it may work: see scripts/tests/lanes.mjs. */
import { connect } from 'node:net'

/**
 * Resolves when this process has a lane, which it gives back when it ends, or when nobody gives lanes any more.
 * @param port where lanes are given; undefined: there is nothing to wait for
 */
export async function waitForLane(port: string | undefined): Promise<void> {
  if (port === undefined) return
  const socket = connect(Number(port), '127.0.0.1')
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve()).once('close', () => resolve())
    // `close` follows.
    socket.on('error', () => undefined)
  })
  // The lane must not keep a process alive that has nothing left to do.
  socket.unref()
}
