/** Starts again what ends, as a service manager would, until it is told to let go. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Supervision {
  /** Nothing is started any more; resolves when no start is under way. */
  letGo(): Promise<void>
}

/**
 * @param ended resolves when the process that runs now has ended
 * @param start starts it anew; may fail while something it needs is away, and is called again then
 */
export function supervise(ended: () => Promise<void>, start: () => Promise<unknown>): Supervision {
  const letGo = new AbortController()
  const released = new Promise<void>((resolve) => letGo.signal.addEventListener('abort', () => resolve()))
  const watching = (async () => {
    while (!letGo.signal.aborted) {
      await Promise.race([ended(), released])
      if (letGo.signal.aborted) return
      await start().catch(() => pause(500))
    }
  })()
  return {
    letGo() {
      letGo.abort()
      return watching
    },
  }
}
