/** How often a transfer that breaks off is tried again. */
import { setTimeout as pause } from 'node:timers/promises'
import { RegionRefusal, RegionUnreachable } from './errors.ts'

/** So many tries in a row may bring nothing before the transfer is given up. */
const fruitlessTries = 4

export interface Tries {
  /** So many bytes have surely arrived. */
  reached(position: number): void
  /** Waits before the next try, or throws the error when another try cannot help. */
  failed(error: unknown): Promise<void>
}

/** Counts tries that brought no byte. */
export function createTries(): Tries {
  let furthest = -1
  let fruitless = 0
  return {
    reached(position) {
      if (position > furthest) fruitless = 0
      furthest = Math.max(furthest, position)
    },
    async failed(error) {
      fruitless += 1
      if (!mayPassOnRetry(error) || fruitless >= fruitlessTries) throw error
      await pause(100 * 3 ** fruitless)
    },
  }
}

function mayPassOnRetry(error: unknown): boolean {
  if (error instanceof RegionUnreachable) return true
  if (!(error instanceof RegionRefusal)) return false
  return error.passing || error.type === 'urn:roomkeeper-region:range-mismatch'
}
