/**
 * What a site asks of its PostgreSQL: operators who look at lists, search, export and open statistics, operations, and
 * the regions' regular checks, on a machine that does nothing else.
 */
import type { Point } from '../growth/growth-points.ts'
import { percentile } from '../measure.ts'
import { type Costs, measureOf } from './costs.ts'
import { Simulation, useInSlices, type Work } from './simulation.ts'

export interface Site {
  rooms: number
  regions: number
  /** Who work at the same time, each with a console that is open. */
  operators: number
  operationsPerDay: number
  /** Of the machine that PostgreSQL has for itself. */
  cores: number
  /** Of the same size, which share exact totals, pages in the middle, exports and statistics; 0: the primary does it. */
  replicas: number
}

export interface SiteLoad {
  /** The share of the primary's cores that compute, from 0 to 1; more than 1 means that it cannot keep up. */
  use: number
  /** The same of each replica; 0 without one. */
  useOfReplicas: number
  /** Which kind of work takes most of the primary, and its share. */
  most: [kind: string, share: number]
  /** Slowest hundredth of first pages, milliseconds in PostgreSQL. */
  firstPage: number
  /** Median of the exact total of a broad search, milliseconds in PostgreSQL; NaN where a replica counts. */
  total: number
}

/** Assumed: what an operator who is working does in an hour. */
export const perOperatorAndHour = {
  'first page': 240,
  'search: rows': 60,
  'search: exact total': 20,
  'page in the middle': 10,
  statistics: 10,
  export: 0.2,
} as const

/** Assumed: the busiest hour has this many times the operations of an hour on average. */
export const peak = 4

type Kind = keyof typeof perOperatorAndHour | 'operation' | 'check of a region'

const ofReplica: readonly Kind[] = ['search: exact total', 'page in the middle', 'statistics', 'export']
/** A look at each region every minute: its row with the password, then its health. Milliseconds of CPU, estimated. */
const checkOfRegion = 0.4

/** Milliseconds of PostgreSQL's CPU for one of each. */
export function demandsOf(costs: Costs, rooms: number): Record<Kind, number> {
  const at = (name: string) => costAt(costs.points, name, rooms)
  return {
    'first page': at('calls.postgres-cpu'),
    'search: rows': at('search-rows.postgres-cpu'),
    'search: exact total': at('search-total.postgres-cpu'),
    'page in the middle': at('middle-page.postgres-cpu'),
    statistics: at('statistics.screen'),
    // One connection, which is busy from the first row to the last.
    export: (1000 * rooms) / at('export.rate'),
    operation: at('create.postgres-cpu'),
    'check of a region': checkOfRegion,
  }
}

/** How often each comes, per second. */
export function arrivalsOf(site: Site): Record<Kind, number> {
  const ofOperators = Object.entries(perOperatorAndHour).map(([kind, n]) => [kind, (site.operators * n) / 3600])
  return {
    ...(Object.fromEntries(ofOperators) as Record<keyof typeof perOperatorAndHour, number>),
    operation: (peak * site.operationsPerDay) / 86_400,
    'check of a region': site.regions / 60,
  }
}

const seed = 20_260_102
/** PostgreSQL's processes share the cores in slices of this length, in milliseconds. */
const slice = 5

export function simulateSite(costs: Costs, site: Site, seconds = 600): SiteLoad {
  const demands = demandsOf(costs, site.rooms)
  const arrivals = arrivalsOf(site)
  const all = Object.keys(demands) as Kind[]
  const kinds = all.filter((kind) => site.replicas === 0 || !ofReplica.includes(kind))
  const loadOf = (kind: Kind) => (demands[kind] * arrivals[kind]) / 1000 / site.cores
  const loads = kinds.map((kind): [Kind, number] => [kind, loadOf(kind)])
  const use = sum(loads.map(([, load]) => load))
  const elsewhere = sum(all.filter((kind) => !kinds.includes(kind)).map(loadOf))
  const useOfReplicas = site.replicas === 0 ? 0 : elsewhere / site.replicas
  const [kind, load] = loads.toSorted((a, b) => b[1] - a[1])[0] as [Kind, number]
  const most: [string, number] = [kind, load / use]
  // A queue that only grows has no durations worth telling.
  const never = Number.POSITIVE_INFINITY
  if (use >= 0.98) return { use, useOfReplicas, most, firstPage: never, total: never }

  const simulation = new Simulation(seed)
  const cores = simulation.station(site.cores)
  const durations = new Map(kinds.map((each) => [each, [] as number[]]))
  function* one(each: Kind): Work {
    const begun = simulation.now
    yield* useInSlices(simulation, cores, demands[each], slice)
    durations.get(each)?.push(simulation.now - begun)
  }
  function* arriving(each: Kind): Work {
    for (;;) {
      yield simulation.spread(1000 / arrivals[each])
      simulation.start(one(each))
    }
  }
  for (const each of kinds) if (arrivals[each] > 0) simulation.start(arriving(each))
  simulation.runUntil(seconds * 1000)
  const durationOf = (each: Kind, share: number) => percentile(durations.get(each) ?? [], share)
  const [firstPage, total] = [durationOf('first page', 0.99), durationOf('search: exact total', 0.5)]
  return { use, useOfReplicas, most, firstPage, total }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}

/** Above this share of the cores, waiting grows faster than what is served. */
export const highestUse = 0.7

/** Beyond this, limits come first that are not simulated. */
const enough = 10_000

/** The largest number of operators, in tens, with which the primary and each replica stay below `highestUse`. */
export function mostOperators(costs: Costs, site: Omit<Site, 'operators'>): number {
  const fits = (operators: number) => {
    const { use, useOfReplicas } = simulateSite(costs, { ...site, operators }, 0)
    return Math.max(use, useOfReplicas) <= highestUse
  }
  let [most, tooMany] = [0, enough + 10]
  while (tooMany - most > 10) {
    const middle = Math.floor((most + tooMany) / 20) * 10
    if (fits(middle)) most = middle
    else tooMany = middle
  }
  return most
}

/** Between the sizes that were measured, and beyond them as between the last two. @throws Error with fewer than two */
export function costAt(points: readonly Point[], name: string, rooms: number): number {
  const above = points.findIndex(({ size }) => size >= rooms)
  const next = above === -1 ? points.length - 1 : Math.max(above, 1)
  const [a, b] = [points[next - 1], points[next]]
  if (a === undefined || b === undefined) throw new Error('Costs at two numbers of rooms at least are needed.')
  const slope = Math.log(measureOf(b, name) / measureOf(a, name)) / Math.log(b.size / a.size)
  // What was measured at random does not get cheaper with more rooms, nor dearer than each of them.
  const bounded = rooms > b.size ? Math.min(Math.max(slope, 0), 1) : slope
  return measureOf(b, name) * (rooms / b.size) ** bounded
}
