/**
 * Whether a transfer makes progress: a timer for silence alone would wait for ever for a byte now and then. The minimum
 * rate is far below that of any real connection, and the window so long that no ordinary pause falls below it.
 */
export interface MinimumRate {
  /** How many bytes have to move in each window. */
  bytes: number
  /** The length of a window. */
  seconds: number
}

export const slowestRate: MinimumRate = { bytes: 600_000, seconds: 600 }

export interface RateMeter {
  /** Starts the clock, unless it runs already. */
  wait(): void
  /** Records moved bytes and stops the clock until the next wait. @returns false when a window had too few */
  moved(bytes: number): boolean
}

/** @param minimum by default below the rate of any real connection */
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
