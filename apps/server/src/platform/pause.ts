import { setTimeout } from 'node:timers/promises'

/** Waits. Ends early and without an error when the signal fires; the caller then checks the signal. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}

/** Waits for the work, but no longer than this. @returns whether it has ended */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController()
  try {
    return await Promise.race([work.then(() => true), pause(milliseconds, ended.signal).then(() => false)])
  } finally {
    ended.abort()
  }
}
