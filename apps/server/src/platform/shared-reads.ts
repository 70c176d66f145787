/**
 * Lets callers who ask at the same moment share statements. Each caller gets the answer of a statement that began after
 * the caller asked, so this is not a cache. A single caller's statement begins at once.
 */

interface Waiting<Asked, Found> extends PromiseWithResolvers<Found> {
  asked: Asked
}

/** What is asked for while a read of the same is under way. */
interface Queue<Asked, Found> {
  /** Callers who wait; they share the next read. */
  next: Waiting<Asked, Found> | null
}

/**
 * Callers who ask for the same share one read, such as the consoles that all read their list again when a room has
 * changed.
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

interface LookUp<Key, Found> {
  key: Key
  resolve(found: Found): void
  reject(error: unknown): void
}

const maxAtOnce = 100

/**
 * Look-ups of one kind share statements: under load one statement serves all that came while the one before was under way.
 * @param find answers for each of the keys, in their order; what it throws is thrown to all of them
 * @returns the function that looks up one key
 */
export function sharedLookUps<Key, Found>(
  find: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  const asked: LookUp<Key, Found>[] = []
  let isHeldUp = false

  const begin = () => {
    const mine = asked.splice(0, maxAtOnce)
    if (mine.length === 0) return
    isHeldUp = true
    const finding = find(mine.map(({ key }) => key))
    releaseAfter(finding, () => {
      isHeldUp = false
      begin()
    })
    finding.then(
      (found) => {
        for (const [position, { resolve }] of mine.entries()) resolve(found[position] as Found)
      },
      (error: unknown) => {
        for (const { reject } of mine) reject(error)
      },
    )
  }
  return (key) =>
    new Promise<Found>((resolve, reject) => {
      asked.push({ key, resolve, reject })
      if (!isHeldUp) begin()
    })
}

/** Later callers wait no longer than this for the statement under way: then another one begins. */
const holdsUpMilliseconds = 50

/** Calls `goOn` once: when the statement has ended or failed, or has held others up for long enough. */
function releaseAfter(statement: Promise<unknown>, goOn: () => void): void {
  const once = () => {
    if (isOver) return
    isOver = true
    clearTimeout(late)
    goOn()
  }
  let isOver = false
  const late = setTimeout(once, holdsUpMilliseconds)
  statement.then(once, once)
}
