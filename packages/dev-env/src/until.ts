/** Waits for something to become true, without a fixed sleep. */
import { setTimeout as pause } from 'node:timers/promises'

/** @throws Error that names `what`, when the condition has not become true in time */
export async function until(what: string, isTrue: () => Promise<boolean>, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  for (let wait = 10; ; wait = Math.min(wait * 1.5, 250)) {
    if (await isTrue()) return
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain: ${what}.`)
    await pause(wait)
  }
}
