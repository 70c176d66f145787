/** Limits how much work is done at once; the rest waits in a queue of limited length. */
import { refuse } from './refuse.ts'

export interface ConcurrencyLimit {
  /**
   * @param owner nobody fills the queue alone
   * @throws Refusal `too-many-calls` when the queue is full, or holds as many of this owner as it may
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>
}

/** @param queueLengthOfOne how many entries of the queue may belong to one owner */
export function createConcurrencyLimit(
  atOnce: number,
  queueLength: number,
  queueLengthOfOne = queueLength,
): ConcurrencyLimit {
  let running = 0
  const queue: { owner: string | undefined; start: () => void }[] = []
  const isFullFor = (owner: string | undefined) =>
    queue.length >= queueLength ||
    (owner !== undefined && queue.filter((each) => each.owner === owner).length >= queueLengthOfOne)
  return {
    async run(work, owner) {
      if (running >= atOnce) {
        if (isFullFor(owner)) throw refuse('too-many-calls')
        // Finished work hands over directly to the next, so that nothing that comes just then gets in between.
        await new Promise<void>((start) => queue.push({ owner, start }))
      } else running += 1
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next === undefined) running -= 1
        else next.start()
      }
    },
  }
}
