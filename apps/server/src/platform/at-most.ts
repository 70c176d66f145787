/** Work of which only so much is done at once; the rest waits in line, for as long as the line is short enough. */
import { refuse } from './refuse.ts'

export interface Turns {
  /** @throws Refusal `too-many-calls` when the line is full */
  take<T>(work: () => Promise<T>): Promise<T>
}

export function atMost(atOnce: number, inLine: number): Turns {
  let underWay = 0
  const line: (() => void)[] = []
  return {
    async take(work) {
      if (underWay >= atOnce) {
        if (line.length >= inLine) throw refuse('too-many-calls')
        // Whoever ends hands its place over, so that nobody who comes just then gets in between.
        await new Promise<void>((resolve) => line.push(resolve))
      } else underWay += 1
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next === undefined) underWay -= 1
        else next()
      }
    },
  }
}
