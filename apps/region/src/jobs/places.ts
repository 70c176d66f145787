/** So many pieces of work at once; others wait in line. */
export interface Places {
  take(work: () => Promise<void>): Promise<void>
}

export function createPlaces(count: number): Places {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take(work) {
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
