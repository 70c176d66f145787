/** Runs work when it is triggered and, if wanted, at regular intervals, but never twice at once. */
import type { Log } from '#platform/log.ts'

export interface Poller {
  /** Starts the work, or makes it run once more if it is running. */
  trigger(): void
  /** Resolves when running work has ended; no more work starts. */
  stop(): Promise<void>
}

/** @param work `triggered`: false for the regular run. Errors are logged and do not end the polling. */
export function createPoller(
  { name, everyMilliseconds, log }: { name: string; everyMilliseconds?: number; log: Log },
  work: (triggered: boolean) => Promise<void>,
): Poller {
  let next: { triggered: boolean } | null = null
  let polling: Promise<void> | null = null
  let stopped = false

  const poll = (triggered: boolean) => {
    if (stopped) return
    // The regular run does more than a triggered one, so it wins when both are due.
    next = { triggered: triggered && (next?.triggered ?? true) }
    polling ??= pollUntilIdle()
  }
  const pollUntilIdle = async () => {
    while (next !== null && !stopped) {
      const { triggered } = next
      next = null
      try {
        await work(triggered)
      } catch (error) {
        log.warn({ err: error, look: name }, 'a worker could not look for work')
      }
    }
    polling = null
  }
  const timer = everyMilliseconds === undefined ? undefined : setInterval(() => poll(false), everyMilliseconds)
  return {
    trigger: () => poll(true),
    async stop() {
      stopped = true
      clearInterval(timer)
      await polling
    },
  }
}
