/** Kills processes of a network with SIGKILL, and restarts every process that ends, as a service manager would. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Network, RunningServer } from '@roomkeeper/dev-env'

export const victims = ['api', 'worker', 'region1', 'region2'] as const
export type Victim = (typeof victims)[number]

export interface Supervision {
  /** Resolves when the process runs again. @param which selects one of several workers */
  kill(victim: Victim, which?: number): Promise<void>
  /** Stops restarting processes. Resolves when no start is in progress. */
  letGo(): Promise<void>
  /** How many processes each kind of kill has ended. */
  killed: ReadonlyMap<Victim, number>
  /** Restarts that failed: when each happened, and what the process printed. */
  failedStarts: readonly string[]
}

/**
 * @param workers the workers of the network. A restarted worker replaces its predecessor in the list.
 * @param startWorker starts the worker of this index
 */
export function supervise(
  network: Network,
  workers: RunningServer[],
  startWorker: (index: number) => Promise<RunningServer> = () => network.addServer({ PROCESS: 'worker' }),
): Supervision {
  const release = new AbortController()
  const failedStarts: string[] = []
  const killed = new Map<Victim, number>()
  const failed = (error: unknown) => failedStarts.push(`${new Date().toISOString()} ${String(error)}`)
  const watch = (parts: Watched) => startWatching(parts, release.signal, failed)
  const api = watch({ child: () => network.server, start: () => network.restartServer() })
  const ofWorkers = workers.map((_, index) =>
    watch({
      child: () => workers[index],
      async start() {
        workers[index] = await startWorker(index)
      },
    }),
  )
  const regions = network.regions.map((_, index) =>
    watch({ child: () => network.regions[index], start: () => network.restartRegion(index) }),
  )
  const find = (victim: Victim, which: number) => {
    if (victim === 'api') return api
    return victim === 'worker' ? ofWorkers[which % ofWorkers.length] : regions[Number(victim.slice(-1)) - 1]
  }
  return {
    failedStarts,
    killed,
    async kill(victim, which = 0) {
      const found = find(victim, which)
      if (found === undefined) throw new Error(`There is no ${victim} to kill.`)
      if (await found.kill()) killed.set(victim, (killed.get(victim) ?? 0) + 1)
    },
    async letGo() {
      release.abort()
      await Promise.all([api, ...ofWorkers, ...regions].map(({ watching }) => watching))
    },
  }
}

interface Watched {
  /** The process that is running or ran last. */
  child(): { child: ChildProcess; ended: Promise<void> } | undefined
  /** May fail while something that the process needs is unavailable; then it is called again. */
  start(): Promise<unknown>
}

function startWatching({ child, start }: Watched, release: AbortSignal, failed: (error: unknown) => void) {
  const released = new Promise<void>((resolve) => release.addEventListener('abort', () => resolve()))
  const waiting: (() => void)[] = []
  const watching = (async () => {
    while (!release.aborted) {
      await Promise.race([child()?.ended, released])
      if (release.aborted) return
      try {
        await start()
        for (const goOn of waiting.splice(0)) goOn()
      } catch (error) {
        failed(error)
        await pause(500)
      }
    }
  })()
  return {
    watching,
    /** @returns whether the signal killed the process; false if it had already ended */
    async kill(): Promise<boolean> {
      const runsAgain = new Promise<void>((resolve) => waiting.push(resolve))
      const victim = child()
      const wasAlive = victim?.child.kill('SIGKILL') === true
      await Promise.race([runsAgain, released])
      return wasAlive && victim?.child.signalCode === 'SIGKILL'
    },
  }
}
