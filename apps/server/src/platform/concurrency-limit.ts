/** Limits how much work runs at once; the rest waits in a queue of limited length. */
import { refuse } from './refuse.ts'

export interface ConcurrencyLimit {
  /**
   * @param owner who the work is for: one owner alone cannot fill the queue
   * @throws Refusal `too-many-calls` when the queue is full, or has no more room for this owner
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>
}

/** @param queueLengthOfOne how many queue entries one owner may have */
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
        // Finished work starts the next entry itself, so that a call that arrives just then cannot get ahead of it.
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
