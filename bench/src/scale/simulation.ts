/**
 * A discrete-event simulation: works that wait for time to pass and for places at stations (the cores of a machine, the
 * one thread of a process, a lock). A work is a generator: it yields a number of milliseconds to wait, or a station at
 * which it wants a place, which it must give back.
 */
import { EventQueue } from './event-queue.ts'

export type Work = Generator<number | Station, void, void>

export class Simulation {
  /** Milliseconds since the beginning. */
  now = 0
  readonly #events = new EventQueue()
  #state: number

  /** @param seed the same seed gives the same run */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Evenly spread, at least 0 and below 1. */
  random(): number {
    // A Weyl sequence whose values are mixed (the finalizer of MurmurHash3): short, and good enough for waiting times.
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }

  /** A duration with this mean, spread as times between independent events are. */
  spread(mean: number): number {
    return -mean * Math.log(1 - this.random())
  }

  station(places: number): Station {
    return new Station(this, places)
  }

  start(work: Work, delay = 0): void {
    this.after(delay, () => this.#proceed(work))
  }

  after(delay: number, run: () => void): void {
    this.#events.add(this.now + delay, run)
  }

  /** Runs what is due until then. */
  runUntil(milliseconds: number): void {
    for (;;) {
      const event = this.#events.takeUntil(milliseconds)
      if (event === undefined) break
      this.now = event.at
      event.run()
    }
    this.now = milliseconds
  }

  #proceed(work: Work): void {
    const { value, done } = work.next()
    if (done) return
    if (typeof value === 'number') this.after(value, () => this.#proceed(work))
    else (value as Station).take(() => this.#proceed(work))
  }
}

/** Serves who came first. */
export class Station {
  readonly #simulation: Simulation
  readonly #places: number
  readonly #waiting: (() => void)[] = []
  #taken = 0
  #changedAt = 0
  /** Milliseconds of all places together. */
  #busy = 0

  constructor(simulation: Simulation, places: number) {
    this.#simulation = simulation
    this.#places = places
  }

  take(proceed: () => void): void {
    if (this.#taken === this.#places) {
      this.#waiting.push(proceed)
      return
    }
    this.#count(1)
    this.#simulation.after(0, proceed)
  }

  /** The place goes to who has waited longest. */
  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#count(-1)
    else this.#simulation.after(0, next)
  }

  /** The share of its places that was taken, from 0 to 1, since the beginning. */
  get use(): number {
    this.#count(0)
    return this.#busy / (this.#places * this.#simulation.now)
  }

  #count(change: number): void {
    const { now } = this.#simulation
    this.#busy += this.#taken * (now - this.#changedAt)
    this.#changedAt = now
    this.#taken += change
  }
}

/** Takes a place for that long. */
export function* useFor(station: Station, milliseconds: number): Work {
  yield station
  yield milliseconds
  station.give()
}

/** The same for a while that is spread around its mean, in slices, after each of which others have their turns. */
export function* useInSlices(simulation: Simulation, station: Station, mean: number, slice: number): Work {
  for (let left = simulation.spread(mean); left > 0; left -= slice) yield* useFor(station, Math.min(left, slice))
}

/** Several works at once; goes on when all have ended. */
export function* together(simulation: Simulation, works: readonly Work[]): Work {
  const ended = simulation.station(works.length)
  for (const _ of works) yield ended
  for (const work of works) simulation.start(thenGive(work, ended))
  for (const _ of works) yield ended
  for (const _ of works) ended.give()
}

function* thenGive(work: Work, station: Station): Work {
  yield* work
  station.give()
}

/** Repeats a work without a pause. @returns the durations of what ended after the warm-up, in milliseconds */
export function repeat(
  simulation: Simulation,
  clients: number,
  work: () => Work,
  { warmUp, until }: { warmUp: number; until: number },
): number[] {
  const durations: number[] = []
  function* client(): Work {
    for (;;) {
      const begun = simulation.now
      yield* work()
      if (simulation.now >= warmUp) durations.push(simulation.now - begun)
    }
  }
  for (let started = 0; started < clients; started++) simulation.start(client())
  simulation.runUntil(until)
  return durations
}
