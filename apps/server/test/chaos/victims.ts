/** Kills processes of a network as hard as a power cut, and starts them again. */
import type { Network, RunningServer } from '@roomkeeper/dev-env'

export const victims = ['api', 'worker', 'region1', 'region2'] as const
export type Victim = (typeof victims)[number]

/** @param workers of the network; the one that was killed is replaced in the list */
export async function killAndRestart(
  network: Network,
  workers: RunningServer[],
  victim: Victim,
  which = 0,
): Promise<void> {
  switch (victim) {
    case 'api':
      network.server.child.kill('SIGKILL')
      return network.restartServer()
    case 'worker': {
      const index = which % workers.length
      await workers[index]?.stop('SIGKILL')
      workers[index] = await network.addServer({ PROCESS: 'worker' })
      return
    }
    case 'region1':
    case 'region2': {
      const index = victim === 'region1' ? 0 : 1
      network.regions[index]?.child.kill('SIGKILL')
      return network.restartRegion(index)
    }
  }
}
