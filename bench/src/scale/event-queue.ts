/** What is due, the earliest first; what is due at the same time, in the order in which it was added. */
export class EventQueue {
  /** A binary heap: no event is due before its parent, which is at half its place. */
  readonly #events: Event[] = []
  #added = 0

  add(at: number, run: () => void): void {
    const event = { at, order: this.#added++, run }
    let place = this.#events.length
    for (;;) {
      const above = (place - 1) >> 1
      const parent = this.#events[above]
      if (place === 0 || parent === undefined || !isBefore(event, parent)) break
      this.#events[place] = parent
      place = above
    }
    this.#events[place] = event
  }

  /** Removes and returns the next event that is due by then. */
  takeUntil(limit: number): Event | undefined {
    const first = this.#events[0]
    if (first === undefined || first.at > limit) return undefined
    const last = this.#events.pop() as Event
    if (this.#events.length > 0) this.#sink(last)
    return first
  }

  /** Puts this event in the place of the first. */
  #sink(event: Event): void {
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      const [one, other] = [this.#events[left], this.#events[left + 1]]
      if (one === undefined) break
      const [earlier, below] = other !== undefined && isBefore(other, one) ? [other, left + 1] : [one, left]
      if (!isBefore(earlier, event)) break
      this.#events[place] = earlier
      place = below
    }
    this.#events[place] = event
  }
}

interface Event {
  at: number
  order: number
  run: () => void
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
