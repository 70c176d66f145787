/**
 * Whether a transfer gets on: a clock that only looks for silence waits for ever for somebody who moves a byte now and
 * then. The floor is far below any link that somebody works with, and the window so long that no pause falls below it.
 */
export interface Floor {
  /** So many have to move in each window. */
  bytes: number
  /** How long a window is. */
  seconds: number
}

export const slowestLink: Floor = { bytes: 600_000, seconds: 600 }

export interface Pace {
  /** The clock runs from here on, if it does not yet. */
  wait(): void
  /** So much moved, and the clock stands until the next wait. @returns false when a window brought too little */
  moved(bytes: number): boolean
}

/** @param floor by default one that no honest link falls below */
export function createPace(floor: Floor = slowestLink): Pace {
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
      if (waited < floor.seconds * 1000) return true
      const isEnough = inWindow >= floor.bytes
      waited = 0
      inWindow = 0
      return isEnough
    },
  }
}
