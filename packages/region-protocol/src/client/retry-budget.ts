/** Decides how often an interrupted transfer is retried. */
import { setTimeout as pause } from 'node:timers/promises'
import type { MinimumRate } from '../rate-meter.ts'
import { RegionRefusal, RegionUnreachable, TransferTooSlow } from './errors.ts'

/** The transfer is given up after this many tries in a row that made no progress, or stayed below the minimum rate. */
const fruitlessTriesAtMost = 4

export interface RetryBudget {
  /** Records how many bytes have arrived in total. */
  reached(position: number): void
  /** Waits before the next try, or throws the error if another try would not help. */
  failed(error: unknown): Promise<void>
}

/**
 * A try that transferred even one byte counts as progress: on a slow connection that breaks often, each try transfers
 * little. But with one byte per try a transfer would never end, so several tries together must reach the minimum rate.
 */
export function createRetryBudget(minimumRate: MinimumRate): RetryBudget {
  let furthest = -1
  let fruitless = 0
  let window = { from: 0, since: performance.now(), tries: 0 }
  return {
    reached(position) {
      if (position > furthest) fruitless = 0
      furthest = Math.max(furthest, position)
      if (furthest - window.from >= minimumRate.bytes) window = { from: furthest, since: performance.now(), tries: 0 }
    },
    async failed(error) {
      fruitless += 1
      window.tries += 1
      const isTooSlow =
        window.tries >= fruitlessTriesAtMost && performance.now() - window.since >= minimumRate.seconds * 1000
      if (!isWorthRetrying(error) || fruitless >= fruitlessTriesAtMost || isTooSlow) throw error
      await pause(100 * 3 ** fruitless)
    },
  }
}

function isWorthRetrying(error: unknown): boolean {
  if (error instanceof RegionUnreachable) return !(error instanceof TransferTooSlow)
  if (!(error instanceof RegionRefusal)) return false
  return error.isTransient || error.type === 'urn:roomkeeper-region:range-mismatch'
}
