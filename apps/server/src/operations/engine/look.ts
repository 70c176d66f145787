/** Work that is done when called, and now and then by itself; never twice at once. */
import type { Log } from '#platform/log.ts'

export interface Look {
  /** Soon; a call during a look lets it look once more. */
  call(): void
  /** Resolves when a look that is under way is over; none comes after it. */
  stop(): Promise<void>
}

/** @param work `called`: not by itself. Its errors are told in the log, and the next look comes all the same. */
export function createLook(
  { name, everyMilliseconds, log }: { name: string; everyMilliseconds: number; log: Log },
  work: (called: boolean) => Promise<void>,
): Look {
  let again: { called: boolean } | null = null
  let looking: Promise<void> | null = null
  let stopped = false

  const look = (called: boolean) => {
    if (stopped) return
    // A look by itself looks at more: calls that come with it do not make it less.
    again = { called: called && (again?.called ?? true) }
    looking ??= lookOn()
  }
  const lookOn = async () => {
    while (again !== null && !stopped) {
      const { called } = again
      again = null
      try {
        await work(called)
      } catch (error) {
        log.warn({ err: error, look: name }, 'a worker could not look for work')
      }
    }
    looking = null
  }
  const timer = setInterval(() => look(false), everyMilliseconds)
  return {
    call: () => look(true),
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
    },
  }
}
