/** At most so much work at once; the rest waits in a queue. */
export interface ConcurrencyLimit {
  run(work: () => Promise<void>): Promise<void>
}

export function createConcurrencyLimit(count: number): ConcurrencyLimit {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
      try {
        await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    },
  }
}
