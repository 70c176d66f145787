export interface SpareMemory<T> {
  take(): T | undefined
  /** What is too much, or not taken again within a minute, is left to the collector. */
  giveBack(pieces: readonly T[]): void
}

const idleMilliseconds = 60_000

/** Memory that is used again: fresh memory costs more than filling it, because the kernel has to find and clear each page. */
export function createSpareMemory<T>(atMost: number): SpareMemory<T> {
  const spare: T[] = []
  let release: NodeJS.Timeout | undefined
  return {
    take: () => spare.pop(),
    giveBack(pieces) {
      spare.push(...pieces.slice(0, Math.max(0, atMost - spare.length)))
      clearTimeout(release)
      release = setTimeout(() => spare.splice(0), idleMilliseconds).unref()
    },
  }
}
