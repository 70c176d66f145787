/** The simulations of docs/scale.md against what was measured, and the page against the simulations. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Point } from '../growth/growth-points.ts'
import { tablesOf } from '../with-tables.ts'
import { page, scaleTables } from './bench-scale.ts'
import { allowedError, checkPoints } from './checked-points.ts'
import { readCosts } from './costs.ts'
import { simulateCalls, simulateMoves } from './models.ts'
import { costAt, highestUse, mostOperators, simulateSite } from './plan.ts'

const costs = await readCosts()
const points = checkPoints(costs)

describe('simulation of the product', () => {
  it.each(points)('$title: $measured $unit', ({ measured, simulated, isFitted }) => {
    // What was chosen to come out has no excuse for the difference between runs.
    expect(Math.abs(simulated / measured - 1)).toBeLessThan(isFitted ? 0.05 : allowedError)
  })

  it('tells more points than it was fitted to', () => {
    const fitted = points.filter(({ isFitted }) => isFitted).length
    expect(points.length - fitted).toBeGreaterThan(fitted)
  })

  it('never does more than the cores, or the one thread of a program, can', () => {
    const most = simulateCalls({ cores: 64, clients: 100, costs: { client: 0.1, server: 0.5, postgres: 0.1 } })
    expect(most.perSecond).toBeLessThan(2020)
    expect(most.perSecond).toBeGreaterThan(1900)
    const { server, regions, children, postgres } = costs.move
    const busy = simulateMoves({ cores: 2, atOnce: 64, costs: { ...costs.move, waits: 0 } })
    expect(busy.perSecond).toBeLessThan(2020 / (server + regions + children + postgres))
  })
})

describe('plan of a site', () => {
  const site = { rooms: 1_000_000, regions: 100, operators: 50, operationsPerDay: 10_000, cores: 8, replicas: 0 }

  it('says how many operators it carries, and that more are too many', () => {
    const most = mostOperators(costs, site)
    expect(most).toBeGreaterThan(0)
    expect(simulateSite(costs, { ...site, operators: most }, 0).use).toBeLessThanOrEqual(highestUse)
    expect(simulateSite(costs, { ...site, operators: most + 10 }, 0).use).toBeGreaterThan(highestUse)
    expect(simulateSite(costs, { ...site, operators: 2 * most }).firstPage).toBe(Number.POSITIVE_INFINITY)
  })

  it('waits more with more rooms, and less with a replica', () => {
    const many = { ...site, rooms: 10_000_000 }
    expect(simulateSite(costs, many).firstPage).toBeGreaterThan(simulateSite(costs, site).firstPage)
    expect(simulateSite(costs, { ...many, replicas: 1 }).use).toBeLessThan(simulateSite(costs, many).use)
    // What counts is only shared: one replica carries hardly more operators, several carry several times as many.
    const [none, one, four] = [0, 1, 4].map((replicas) => mostOperators(costs, { ...many, replicas }))
    expect(one).toBeLessThan(2 * (none ?? 0))
    expect(four).toBeGreaterThan(3 * (none ?? 0))
  })

  it('takes costs between the sizes that were measured, and goes on beyond them', () => {
    const points = [pointOf(100, 1), pointOf(10_000, 1), pointOf(1_000_000, 100)]
    expect(costAt(points, 'a', 100)).toBeCloseTo(1)
    expect(costAt(points, 'a', 1000)).toBeCloseTo(1)
    expect(costAt(points, 'a', 100_000)).toBeCloseTo(10)
    expect(costAt(points, 'a', 10_000_000)).toBeCloseTo(1000)
    expect(() => costAt(points.slice(0, 1), 'a', 100)).toThrow('two numbers of rooms')
    expect(() => costAt(points, 'b', 100)).toThrow('The measure b of')
  })
})

it('docs/scale.md holds what the simulations give (npm run bench -- scale)', async () => {
  expect(tablesOf(await readFile(page, 'utf8'), 'scale')).toBe(scaleTables(costs, points))
})

function pointOf(size: number, value: number): Point {
  return { size, revision: '', load: 0, machine: '', measures: { a: { value, unit: 'ms' } } }
}
