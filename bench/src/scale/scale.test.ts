/** The plan of a site, and docs/scale.md against it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { describe, expect, it } from 'vitest'
import { newestPoints, type Point, readPoints } from '../growth/growth-points.ts'
import { tablesOf } from '../with-tables.ts'
import { page, scaleTables } from './bench-scale.ts'
import { costAt, highestUse, loadOf, mostOperators } from './plan.ts'

const measured = newestPoints(await readPoints(join(repository, 'docs/growth.json')))

describe('plan of a site', () => {
  const site = { rooms: 1_000_000, regions: 100, operators: 50, operationsPerDay: 10_000, cores: 8, replicas: 0 }

  it('says how many operators it carries, and that more are too many', () => {
    const most = mostOperators(measured, site)
    expect(most).toBeGreaterThan(0)
    expect(loadOf(measured, { ...site, operators: most }).use).toBeLessThanOrEqual(highestUse)
    expect(loadOf(measured, { ...site, operators: most + 10 }).use).toBeGreaterThan(highestUse)
  })

  it('uses more with more rooms, and less with a replica', () => {
    const many = { ...site, rooms: 10_000_000 }
    expect(loadOf(measured, many).use).toBeGreaterThan(loadOf(measured, site).use)
    expect(loadOf(measured, { ...many, replicas: 1 }).use).toBeLessThan(loadOf(measured, many).use)
    // What counts is only shared: one replica carries hardly more operators, several carry several times as many.
    const [none, one, four] = [0, 1, 4].map((replicas) => mostOperators(measured, { ...many, replicas }))
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

it('docs/scale.md holds what the plan gives (npm run bench -- scale)', async () => {
  expect(tablesOf(await readFile(page, 'utf8'), 'scale')).toBe(scaleTables(measured))
})

function pointOf(size: number, value: number): Point {
  return { size, revision: '', load: 0, machine: '', measures: { a: { value, unit: 'ms' } } }
}
