/**
 * What the product does, as works of the simulation: which program computes for how long, in which order, and what it
 * waits for. The costs come from costs.ts. All of it runs on the cores of one machine, as it did where it was measured.
 */
import { median } from '../measure.ts'
import { repeat, Simulation, type Station, together, useInSlices, type Work } from './simulation.ts'

/** CPU in milliseconds. */
export interface CallCosts {
  client: number
  server: number
  postgres: number
}

export interface Rate {
  perSecond: number
  /** Milliseconds. */
  median: number
  /** The share of the cores that computed. */
  cores: number
}

const seed = 20_260_101
const warmUp = 20_000

/** Clients in one process, which ask for the same page again and again. */
export function simulateCalls({ cores, clients, costs }: { cores: number; clients: number; costs: CallCosts }): Rate {
  const machine = new Machine(cores)
  const [client, server] = [machine.thread(), machine.thread()]
  function* call(): Work {
    yield* client.compute(costs.client / 2)
    yield* server.compute(costs.server / 2)
    yield* machine.compute(costs.postgres)
    yield* server.compute(costs.server / 2)
    yield* client.compute(costs.client / 2)
  }
  return machine.rateOf(clients, call, 60_000)
}

export interface CreationCosts {
  /** CPU in milliseconds. */
  client: number
  api: number
  worker: number
  region: number
  postgres: number
  /** Until the disk has a commit of PostgreSQL or of the region, milliseconds. */
  commit: number
}

export interface CreationSetting {
  cores: number
  clients: number
  workers: number
  /** How many rooms one worker creates at once. */
  ofWorker: number
  /** How many rooms are created at once on the region. */
  ofRegion: number
  /** What a question to the region and its answer take on the way, milliseconds. */
  distance: number
  costs: CreationCosts
}

/** A creation asks its region three times, one after another: for the name, for the room, and for what it then holds. */
export const questionsOfCreation = 3

/** Rooms are created by clients of which each waits for its room before it asks for the next. */
export function simulateCreations(setting: CreationSetting): Rate {
  const { cores, clients, workers: count, costs, distance } = setting
  const machine = new Machine(cores)
  const { simulation } = machine
  const [client, api, region] = [machine.thread(), machine.thread(), machine.thread()]
  const workers = Array.from({ length: count }, () => ({
    thread: machine.thread(),
    places: simulation.station(setting.ofWorker),
  }))
  const slots = simulation.station(setting.ofRegion)
  /** The row of the region, which a creation locks to count its rooms. */
  const rowOfRegion = simulation.station(1)
  /** The beginning, three steps and the end are written one after another. */
  const postgres = costs.postgres / (questionsOfCreation + 2)
  let begun = 0
  function* create(): Work {
    const worker = workers[begun++ % workers.length] as (typeof workers)[number]
    yield* client.compute(costs.client)
    yield* api.compute(costs.api)
    yield rowOfRegion
    yield* machine.compute(postgres)
    yield costs.commit
    rowOfRegion.give()
    yield slots
    yield worker.places
    for (let question = 0; question < questionsOfCreation; question++) {
      yield* worker.thread.compute(costs.worker / (questionsOfCreation + 1))
      yield distance
      yield* region.compute(costs.region / questionsOfCreation)
      yield* machine.compute(postgres)
      yield costs.commit
    }
    yield* worker.thread.compute(costs.worker / (questionsOfCreation + 1))
    yield* machine.compute(postgres)
    yield costs.commit
    worker.places.give()
    slots.give()
  }
  return machine.rateOf(clients, create, 300_000)
}

export interface MoveCosts {
  /** CPU in milliseconds: the process that leads the move, both regions and their child processes together. */
  server: number
  regions: number
  children: number
  postgres: number
  /** What a move that is alone waits for, other than cores: disks, timers, one process for another. */
  waits: number
}

/** How often the parts of a move take turns: as many as it has steps. */
const turnsOfMove = 10
/** The loop of a run looks for ended moves after this time, in milliseconds. */
const looksAfter = 25

/** A live migration of more rooms than are moved at once. */
export function simulateMoves({ cores, atOnce, costs }: { cores: number; atOnce: number; costs: MoveCosts }): Rate {
  const machine = new Machine(cores)
  const { simulation } = machine
  const [server, source, target] = [machine.thread(), machine.thread(), machine.thread()]
  const [ofSource, ofTarget] = [simulation.station(4), simulation.station(4)]
  function* atRegion(thread: Thread, children: Station): Work {
    yield* thread.compute(costs.regions / 2 / turnsOfMove)
    yield children
    yield* machine.compute(costs.children / 2 / turnsOfMove)
    children.give()
  }
  function* move(): Work {
    for (let turn = 0; turn < turnsOfMove; turn++) {
      yield* server.compute(costs.server / turnsOfMove)
      yield* machine.compute(costs.postgres / turnsOfMove)
      yield* together(simulation, [atRegion(source, ofSource), atRegion(target, ofTarget)])
      yield simulation.spread(costs.waits / turnsOfMove)
    }
    yield looksAfter * simulation.random()
  }
  return machine.rateOf(atOnce, move, 600_000)
}

/** Programs share the cores in slices of this length, in milliseconds. */
const slice = 2

class Machine {
  readonly simulation = new Simulation(seed)
  readonly #cores: Station

  constructor(cores: number) {
    this.#cores = this.simulation.station(cores)
  }

  /** The CPU time is spread around its mean. */
  compute(mean: number): Work {
    return useInSlices(this.simulation, this.#cores, mean, slice)
  }

  /** Of a program that does one thing at a time. */
  thread(): Thread {
    return new Thread(this, this.simulation.station(1))
  }

  rateOf(clients: number, work: () => Work, milliseconds: number): Rate {
    const durations = repeat(this.simulation, clients, work, { warmUp, until: warmUp + milliseconds })
    return { perSecond: (durations.length * 1000) / milliseconds, median: median(durations), cores: this.#cores.use }
  }
}

class Thread {
  readonly #machine: Machine
  readonly #own: Station

  constructor(machine: Machine, own: Station) {
    this.#machine = machine
    this.#own = own
  }

  *compute(mean: number): Work {
    yield this.#own
    yield* this.#machine.compute(mean)
    this.#own.give()
  }
}
