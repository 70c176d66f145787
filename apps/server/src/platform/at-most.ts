/** Work of which only so much is done at once; the rest waits in line, for as long as the line is short enough. */
import { refuse } from './refuse.ts'

export interface Turns {
  /**
   * @param whose nobody keeps the line full alone
   * @throws Refusal `too-many-calls` when the line is full, or holds as many of theirs as it may
   */
  take<T>(work: () => Promise<T>, whose?: string): Promise<T>
}

/** @param inLineOfOne how many of the line may be somebody's */
export function atMost(atOnce: number, inLine: number, inLineOfOne = inLine): Turns {
  let underWay = 0
  const line: { whose: string | undefined; start: () => void }[] = []
  const isFullFor = (whose: string | undefined) =>
    line.length >= inLine || (whose !== undefined && line.filter((each) => each.whose === whose).length >= inLineOfOne)
  return {
    async take(work, whose) {
      if (underWay >= atOnce) {
        if (isFullFor(whose)) throw refuse('too-many-calls')
        // Whoever ends hands its place over, so that nobody who comes just then gets in between.
        await new Promise<void>((start) => line.push({ whose, start }))
      } else underWay += 1
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next === undefined) underWay -= 1
        else next.start()
      }
    },
  }
}
