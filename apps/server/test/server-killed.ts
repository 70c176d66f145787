import type { Network } from '@roomkeeper/dev-env'
import { expect } from 'vitest'

/** Waits until the server has ended, and checks that the planned fault killed it and nothing else did. */
export async function serverKilled(network: Network): Promise<void> {
  await network.server.ended
  expect(network.server.child.signalCode).toBe('SIGKILL')
  expect(await network.faultHappened()).toBe(true)
}
