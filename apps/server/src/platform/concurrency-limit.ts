/** Limits how much work runs at once; the rest waits in a queue of limited length, by turns. */
import { refuse } from './refuse.ts'

export interface ConcurrencyLimit {
  /** @throws Refusal `too-many-calls` when the queue is full, or has no more room for this owner */
  run<T>(work: () => Promise<T>, call?: LimitedCall): Promise<T>
}

export interface LimitedCall {
  /** For whom the work is: one owner alone cannot fill the queue, nor take more slots than `atOnceOfOne`. */
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

interface Turn {
  owner: string | undefined
  /** The first calls of all owners come before the second call of any. */
  round: number
}

interface QueueEntry extends Turn {
  start: () => void
  /** How many calls that came later stand before it. */
  passed: number
}

/** After that no other call may pass: while others keep calling, a second call would otherwise wait for ever. */
const maxPassed = 10

export function createConcurrencyLimit(sizes: LimitSizes): ConcurrencyLimit {
  const { atOnce, atOnceOfOne = atOnce, queue: queueLength, queueOfOne = queueLength } = sizes
  const running: Turn[] = []
  /** In the order of the rounds, and within a round in the order of arrival; but see `maxPassed`. */
  const queue: QueueEntry[] = []
  let currentRound = 0
  const ofOwner = <T extends Turn>(owner: string | undefined, turns: readonly T[]) =>
    owner === undefined ? [] : turns.filter((each) => each.owner === owner)
  const mayRun = ({ owner }: Turn) => running.length < atOnce && ofOwner(owner, running).length < atOnceOfOne

  /** The next turn of an owner: a newcomer joins the current round, and an owner has one turn in each. */
  function nextTurn(owner: string | undefined): Turn {
    const rounds = ofOwner(owner, [...running, ...queue]).map(({ round }) => round + 1)
    return { owner, round: Math.max(currentRound, ...rounds) }
  }

  function begin(turn: Turn): void {
    currentRound = Math.max(currentRound, turn.round)
    running.push(turn)
  }

  /** Starts what may run, by turns. Called at once when work ends: no call that arrives then gets ahead. */
  function startNext(): void {
    const next = queue.find(mayRun)
    if (next === undefined) return
    queue.splice(queue.indexOf(next), 1)
    begin(next)
    next.start()
    startNext()
  }

  async function enter(turn: Turn, signal: AbortSignal | undefined): Promise<Turn> {
    signal?.throwIfAborted()
    if (mayRun(turn)) {
      begin(turn)
      return turn
    }
    if (queue.length >= queueLength || ofOwner(turn.owner, queue).length >= queueOfOne) throw refuse('too-many-calls')
    return waitInQueue(turn, signal)
  }

  function waitInQueue(turn: Turn, signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise<Turn>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(entry), 1)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve(entry)
      }
      const entry: QueueEntry = { ...turn, start, passed: 0 }
      signal?.addEventListener('abort', leave, { once: true })
      const before = queue.findLastIndex(({ round, passed }) => round <= entry.round || passed >= maxPassed)
      for (const later of queue.slice(before + 1)) later.passed += 1
      queue.splice(before + 1, 0, entry)
    })
  }

  return {
    async run(work, { owner, signal } = {}) {
      const turn = await enter(nextTurn(owner), signal)
      try {
        return await work()
      } finally {
        running.splice(running.indexOf(turn), 1)
        startNext()
      }
    },
  }
}
