/** Work that is done when somebody asks for it, and regularly by itself; never twice at once. */
import type { Log } from '#platform/log.ts'

export interface Poller {
  /** Starts the work; called while it runs, makes it run once more. */
  trigger(): void
  /** Resolves when work under way has ended; none starts after it. */
  stop(): Promise<void>
}

/** @param work `called`: it was asked for. Its errors are logged, and it runs again all the same. */
export function createPoller(
  { name, everyMilliseconds, log }: { name: string; everyMilliseconds: number; log: Log },
  work: (called: boolean) => Promise<void>,
): Poller {
  let again: { called: boolean } | null = null
  let polling: Promise<void> | null = null
  let stopped = false

  const poll = (called: boolean) => {
    if (stopped) return
    // Regular work does more than work that was asked for: when both come together, the regular one is done.
    again = { called: called && (again?.called ?? true) }
    polling ??= pollUntilIdle()
  }
  const pollUntilIdle = async () => {
    while (again !== null && !stopped) {
      const { called } = again
      again = null
      try {
        await work(called)
      } catch (error) {
        log.warn({ err: error, look: name }, 'a worker could not look for work')
      }
    }
    polling = null
  }
  const timer = setInterval(() => poll(false), everyMilliseconds)
  return {
    trigger: () => poll(true),
    async stop() {
      stopped = true
      clearInterval(timer)
      await polling
    },
  }
}
