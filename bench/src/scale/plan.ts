/**
 * What a site asks of its PostgreSQL: operators who look at lists, search, export and open statistics, operations, and
 * the regions' regular checks, on a machine that does nothing else. The costs are those of docs/growth.json.
 */
import type { Point } from '../growth/growth-points.ts'

export interface Site {
  rooms: number
  regions: number
  /** The operators who work at the same time, each with an open console. */
  operators: number
  operationsPerDay: number
  /** The cores of the machine that PostgreSQL has for itself. */
  cores: number
  /**
   * Replicas of the same size, which share exact totals, pages in the middle, exports and statistics; 0: the primary
   * does it.
   */
  replicas: number
}

export interface SiteLoad {
  /** The share of the primary's cores that compute, from 0 to 1; more than 1 means that it cannot keep up. */
  use: number
  /** The same of each replica; 0 without one. */
  useOfReplicas: number
  /** Which kind of work takes most of the primary, and its share. */
  most: [kind: string, share: number]
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
const peak = 4

type Kind = keyof typeof perOperatorAndHour | 'operation' | 'check of a region'

const ofReplica: readonly Kind[] = ['search: exact total', 'page in the middle', 'statistics', 'export']
/** A look at each region every minute: its row with the password, then its health. Milliseconds of CPU, estimated. */
const checkOfRegion = 0.4

/** Milliseconds of PostgreSQL's CPU for one of each. */
export function demandsOf(points: readonly Point[], rooms: number): Record<Kind, number> {
  const at = (name: string) => costAt(points, name, rooms)
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
function arrivalsOf(site: Site): Record<Kind, number> {
  const ofOperators = Object.entries(perOperatorAndHour).map(([kind, n]) => [kind, (site.operators * n) / 3600])
  return {
    ...(Object.fromEntries(ofOperators) as Record<keyof typeof perOperatorAndHour, number>),
    operation: (peak * site.operationsPerDay) / 86_400,
    'check of a region': site.regions / 60,
  }
}

export function loadOf(points: readonly Point[], site: Site): SiteLoad {
  const demands = demandsOf(points, site.rooms)
  const arrivals = arrivalsOf(site)
  const loads = (Object.keys(demands) as Kind[]).map((kind) => {
    const load = (demands[kind] * arrivals[kind]) / 1000 / site.cores
    return { kind, load, isElsewhere: site.replicas > 0 && ofReplica.includes(kind) }
  })
  const here = loads.filter(({ isElsewhere }) => !isElsewhere)
  const elsewhere = loads.filter(({ isElsewhere }) => isElsewhere)
  const sum = (of: typeof loads) => of.reduce((all, { load }) => all + load, 0)
  const use = sum(here)
  const [{ kind, load }] = here.toSorted((a, b) => b.load - a.load) as [(typeof loads)[number]]
  return { use, useOfReplicas: site.replicas === 0 ? 0 : sum(elsewhere) / site.replicas, most: [kind, load / use] }
}

/** Above this share of the cores, waiting grows faster than what is served. */
export const highestUse = 0.7

/** Beyond this, limits come first that are not calculated. */
const enough = 10_000

/** The largest number of operators, in tens, with which the primary and each replica stay below `highestUse`. */
export function mostOperators(points: readonly Point[], site: Omit<Site, 'operators'>): number {
  const fits = (operators: number) => {
    const { use, useOfReplicas } = loadOf(points, { ...site, operators })
    return Math.max(use, useOfReplicas) <= highestUse
  }
  let operators = 0
  while (operators < enough && fits(operators + 10)) operators += 10
  return operators
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

function measureOf(point: Point, name: string): number {
  const measure = point.measures[name]
  if (measure === undefined) throw new Error(`The measure ${name} of ${point.size} rooms is missing.`)
  return measure.value
}
