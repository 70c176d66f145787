import { setTimeout } from 'node:timers/promises'

/** Waits; ends early, without an error, when the signal fires: the caller looks at it next. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}
