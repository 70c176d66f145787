/** How often a transfer that breaks off is tried again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Floor } from '../pace.ts'
import { FileHardlyGetsOn, RegionRefusal, RegionUnreachable } from './errors.ts'

/** So many tries in a row may bring nothing, or too little for too long, before the transfer is given up. */
const fruitlessTries = 4

export interface Tries {
  /** So many bytes have surely arrived. */
  reached(position: number): void
  /** Waits before the next try, or throws the error when another try cannot help. */
  failed(error: unknown): Promise<void>
}

/**
 * A try that brought a byte is no fruitless one: of a slow link that breaks often each brings few. But a byte with each
 * try would never come to an end, so several have to bring as much as the floor says.
 */
export function createTries(floor: Floor): Tries {
  let furthest = -1
  let fruitless = 0
  let window = { from: 0, since: performance.now(), tries: 0 }
  return {
    reached(position) {
      if (position > furthest) fruitless = 0
      furthest = Math.max(furthest, position)
      if (furthest - window.from >= floor.bytes) window = { from: furthest, since: performance.now(), tries: 0 }
    },
    async failed(error) {
      fruitless += 1
      window.tries += 1
      const creeps = window.tries >= fruitlessTries && performance.now() - window.since >= floor.seconds * 1000
      if (!mayPassOnRetry(error) || fruitless >= fruitlessTries || creeps) throw error
      await pause(100 * 3 ** fruitless)
    },
  }
}

function mayPassOnRetry(error: unknown): boolean {
  if (error instanceof RegionUnreachable) return !(error instanceof FileHardlyGetsOn)
  if (!(error instanceof RegionRefusal)) return false
  return error.passing || error.type === 'urn:roomkeeper-region:range-mismatch'
}
