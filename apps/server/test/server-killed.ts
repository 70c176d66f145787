import type { Network } from '@roomkeeper/dev-env'
import { expect } from 'vitest'

/** Waits until the planned fault has killed the server: that fault, and not whatever else ends a server. */
export async function serverKilled(network: Network): Promise<void> {
  await network.server.ended
  expect(network.server.child.signalCode).toBe('SIGKILL')
  expect(await network.faultHappened()).toBe(true)
}
