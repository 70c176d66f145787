import { setTimeout } from 'node:timers/promises'

/** Waits. Ends early and without an error when the signal fires; the caller then checks the signal. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}
