/** The simulation against what queueing theory gives in closed form. */
import { describe, expect, it } from 'vitest'
import { repeat, Simulation, type Station, together, useFor, type Work } from './simulation.ts'

const minute = 60_000

describe('simulation', () => {
  it.each([
    { places: 1, load: 0.5 },
    { places: 1, load: 0.8 },
    { places: 2, load: 0.8 },
    { places: 8, load: 0.9 },
  ])('serves random arrivals as M/M/c says: $places places, load $load', ({ places, load }) => {
    const mean = 10
    const { duration, use } = openQueue({ places, mean, between: mean / (places * load) })
    expect(use).toBeCloseTo(load, 1)
    expect(duration / durationOfQueue(places, mean, load)).toBeCloseTo(1, 1)
  })

  it.each([1, 2, 5, 20])('serves %i clients that come back as the mean value analysis says', (clients) => {
    const simulation = new Simulation(7)
    const means = [3, 8, 5]
    const stations = means.map(() => simulation.station(1))
    function* round(): Work {
      yield simulation.spread(20)
      for (const [number, mean] of means.entries()) yield* useFor(stations[number] as Station, simulation.spread(mean))
    }
    const span = { warmUp: minute, until: 21 * minute }
    const rate = repeat(simulation, clients, round, span).length / (20 * minute)
    expect(rate / rateOfClosedNetwork(clients, 20, means)).toBeCloseTo(1, 1)
  })

  it('gives the same run for the same seed, and another for another', () => {
    const run = (seed: number) => openQueue({ places: 2, mean: 10, between: 7, seed }).duration
    expect(run(3)).toBe(run(3))
    expect(run(3)).not.toBe(run(4))
  })

  it('serves who came first, and counts what was taken', () => {
    const simulation = new Simulation(1)
    const one = simulation.station(1)
    const ended: string[] = []
    function* named(name: string, milliseconds: number): Work {
      yield* useFor(one, milliseconds)
      ended.push(`${name} ${simulation.now}`)
    }
    simulation.start(named('first', 10))
    simulation.start(named('second', 5), 1)
    simulation.start(named('third', 5), 2)
    simulation.runUntil(40)
    expect(ended).toEqual(['first 10', 'second 15', 'third 20'])
    expect(one.use).toBe(0.5)
  })

  it('goes on when all that was begun together has ended', () => {
    const simulation = new Simulation(1)
    const cores = simulation.station(2)
    let endedAt = 0
    function* all(): Work {
      yield* together(simulation, [useFor(cores, 10), useFor(cores, 4), useFor(cores, 5)])
      endedAt = simulation.now
    }
    simulation.start(all())
    simulation.runUntil(100)
    expect(endedAt).toBe(10)
  })

  it('spreads durations around their mean', () => {
    const simulation = new Simulation(5)
    const durations = Array.from({ length: 100_000 }, () => simulation.spread(10))
    const mean = durations.reduce((sum, each) => sum + each, 0) / durations.length
    const variance = durations.reduce((sum, each) => sum + (each - mean) ** 2, 0) / durations.length
    expect(mean).toBeCloseTo(10, 0)
    expect(Math.sqrt(variance)).toBeCloseTo(10, 0)
  })
})

function openQueue(queue: { places: number; mean: number; between: number; seed?: number }) {
  const simulation = new Simulation(queue.seed ?? 1)
  const station = simulation.station(queue.places)
  const durations: number[] = []
  function* call(): Work {
    const begun = simulation.now
    yield* useFor(station, simulation.spread(queue.mean))
    durations.push(simulation.now - begun)
  }
  function* arrivals(): Work {
    for (;;) {
      yield simulation.spread(queue.between)
      simulation.start(call())
    }
  }
  simulation.start(arrivals())
  simulation.runUntil(60 * minute)
  return { duration: durations.reduce((sum, each) => sum + each, 0) / durations.length, use: station.use }
}

/** Erlang's C: the mean time from coming to leaving. */
function durationOfQueue(places: number, mean: number, load: number): number {
  const offered = places * load
  let term = 1
  let sum = 0
  for (let busy = 0; busy < places; busy++) {
    sum += term
    term *= offered / (busy + 1)
  }
  const all = term / (1 - load)
  const waits = all / (sum + all)
  return mean + (waits * mean) / (places * (1 - load))
}

/** Mean value analysis of one thinking time and stations with one place each; rounds per millisecond. */
function rateOfClosedNetwork(clients: number, thinking: number, means: readonly number[]): number {
  let lengths = means.map(() => 0)
  let rate = 0
  for (let present = 1; present <= clients; present++) {
    const times = means.map((mean, number) => mean * (1 + (lengths[number] ?? 0)))
    rate = present / (thinking + times.reduce((sum, each) => sum + each, 0))
    lengths = times.map((time) => time * rate)
  }
  return rate
}
