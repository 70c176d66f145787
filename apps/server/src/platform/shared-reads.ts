/**
 * Lets callers who ask for the same at the same moment share one read, such as the consoles that all read their list
 * again when a room has changed. Each is answered by a read that began after it was asked for, so nobody is told what was
 * true only before: this is no cache. A single one begins at once, and so does one that nobody else asks for.
 */

import { releaseAfter } from './release-after.ts'

interface Waiting<Asked, Found> extends PromiseWithResolvers<Found> {
  asked: Asked
}

/** What is asked for while a read of the same is under way. */
interface Queue<Asked, Found> {
  /** Those who wait; they share the next read. */
  next: Waiting<Asked, Found> | null
}

/**
 * @param read its answer may depend on nothing about its callers but what is asked; all of them get the same object, and
 * what it throws is thrown to all of them. Requests are deduplicated by their JSON.
 */
export function sharedReads<Asked, Found>(read: (asked: Asked) => Promise<Found>): (asked: Asked) => Promise<Found> {
  const queues = new Map<string, Queue<Asked, Found>>()

  function begin(key: string, queue: Queue<Asked, Found>, asked: Asked): Promise<Found> {
    const found = read(asked)
    releaseAfter(found, () => {
      const { next } = queue
      queue.next = null
      if (next === null) queues.delete(key)
      else begin(key, queue, next.asked).then(next.resolve, next.reject)
    })
    return found
  }

  return (asked) => {
    const key = JSON.stringify(asked)
    const queue = queues.get(key)
    if (queue === undefined) {
      const first = { next: null }
      queues.set(key, first)
      return begin(key, first, asked)
    }
    queue.next ??= { asked, ...Promise.withResolvers<Found>() }
    return queue.next.promise
  }
}
