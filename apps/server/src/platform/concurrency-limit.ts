/** Limits how much work runs at once; the rest waits in a queue of limited length. */
import { refuse } from './refuse.ts'

export interface ConcurrencyLimit {
  /** @throws Refusal `too-many-calls` when the queue is full, or has no more room for this owner */
  run<T>(work: () => Promise<T>, call?: LimitedCall): Promise<T>
}

export interface LimitedCall {
  /** Who the work is for: one owner alone cannot fill the queue, nor take more slots than `atOnceOfOne`. */
  owner?: string
  /** Takes the work out of the queue, with an error. Work that runs has to notice by itself. */
  signal?: AbortSignal
}

export interface LimitSizes {
  atOnce: number
  /** How much work of one owner runs at once. */
  atOnceOfOne?: number
  /** The length of the queue. */
  queue: number
  /** How many queue entries one owner may have. */
  queueOfOne?: number
}

interface QueueEntry {
  owner: string | undefined
  start: () => void
}

export function createConcurrencyLimit(sizes: LimitSizes): ConcurrencyLimit {
  const { atOnce, atOnceOfOne = atOnce, queue: queueLength, queueOfOne = queueLength } = sizes
  const running: (string | undefined)[] = []
  const queue: QueueEntry[] = []
  const countOf = (owner: string | undefined, owners: readonly (string | undefined)[]) =>
    owner === undefined ? 0 : owners.filter((each) => each === owner).length
  const mayRun = (owner: string | undefined) => running.length < atOnce && countOf(owner, running) < atOnceOfOne

  /** Starts what may run, the oldest first. Called at once when work ends: no call that arrives then gets ahead. */
  function startNext(): void {
    const at = queue.findIndex(({ owner }) => mayRun(owner))
    const [next] = at < 0 ? [] : queue.splice(at, 1)
    if (next === undefined) return
    running.push(next.owner)
    next.start()
    startNext()
  }

  async function enter({ owner, signal }: LimitedCall): Promise<void> {
    signal?.throwIfAborted()
    if (mayRun(owner)) {
      running.push(owner)
      return
    }
    const queued = queue.map((each) => each.owner)
    if (queue.length >= queueLength || countOf(owner, queued) >= queueOfOne) throw refuse('too-many-calls')
    await waitInQueue(owner, signal)
  }

  function waitInQueue(owner: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(entry), 1)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const entry: QueueEntry = { owner, start }
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(entry)
    })
  }

  return {
    async run(work, call = {}) {
      await enter(call)
      try {
        return await work()
      } finally {
        running.splice(running.indexOf(call.owner), 1)
        startNext()
      }
    },
  }
}
