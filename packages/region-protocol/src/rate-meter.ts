/**
 * Checks that a transfer reaches a minimum rate. A time limit for silence alone would let a transfer with an occasional
 * byte go on for ever. The minimum is far below the rate of any real connection, and the window is so long that no
 * ordinary pause brings a transfer below it.
 */
export interface MinimumRate {
  /** How many bytes have to be transferred in each window. */
  bytes: number
  /** The length of a window. */
  seconds: number
}

export const slowestRate: MinimumRate = { bytes: 600_000, seconds: 600 }

export interface RateMeter {
  /** Starts the clock, unless it is already running. */
  wait(): void
  /** Records transferred bytes and stops the clock until the next `wait`. @returns false when a window had too few */
  moved(bytes: number): boolean
}

export function createRateMeter(minimum: MinimumRate = slowestRate): RateMeter {
  let since: number | null = null
  let waited = 0
  let inWindow = 0
  return {
    wait() {
      since ??= performance.now()
    },
    moved(bytes) {
      if (since !== null) waited += performance.now() - since
      since = null
      inWindow += bytes
      if (waited < minimum.seconds * 1000) return true
      const isEnough = inWindow >= minimum.bytes
      waited = 0
      inWindow = 0
      return isEnough
    },
  }
}
