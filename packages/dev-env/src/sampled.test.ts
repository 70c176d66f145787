import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sampled, sampledAmount } from './sampled.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sampled-'))
  // The cases of this file are not part of any walk.
  vi.stubEnv('SAMPLED_FILE', join(dir, 'sampled.jsonl'))
  vi.stubEnv('ALL', undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(dir, { recursive: true })
})

const walks = fc.record({ walk: fc.string(), cases: fc.array(fc.string(), { minLength: 1, maxLength: 200 }) })

function taken(seed: number, { walk, cases }: { walk: string; cases: string[] }): string[] {
  vi.stubEnv('SEED', String(seed))
  return sampled(walk, cases)
}

it('takes each case exactly once within twenty consecutive seeds, and about as many each time', () => {
  fc.assert(
    fc.property(walks, fc.nat(100_000), (walk, first) => {
      const seeds = Array.from({ length: Math.min(20, walk.cases.length) }, (_, index) => first + index)
      const each = seeds.map((seed) => taken(seed, walk))
      expect(each.flat().sort()).toEqual([...walk.cases].sort())
      const sizes = each.map(({ length }) => length)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    }),
  )
})

it('takes the same cases for the same seed, in their order', () => {
  fc.assert(
    fc.property(walks, fc.nat(100_000), ({ walk, cases }, seed) => {
      const numbered = cases.map((_, index) => String(index))
      const first = taken(seed, { walk, cases: numbered })
      expect(taken(seed, { walk, cases: numbered })).toEqual(first)
      expect(first).toEqual([...first].sort((one, other) => Number(one) - Number(other)))
    }),
  )
})

it('does not always take neighbours together', () => {
  const steps = Array.from({ length: 100 }, (_, index) => String(index))
  const together = Array.from({ length: 10 }, (_, seed) => taken(seed, { walk: 'steps', cases: steps }))
  const gaps = together.flatMap((part) => part.slice(1).map((each, index) => Number(each) - Number(part[index])))
  expect(new Set(gaps).size).toBeGreaterThan(10)
})

it('takes all with ALL=1', () => {
  vi.stubEnv('ALL', '1')
  fc.assert(
    fc.property(walks, ({ walk, cases }) => {
      expect(sampled(walk, cases)).toEqual(cases)
    }),
  )
  expect(sampledAmount('seconds', 5, 60)).toBe(60)
})

it('takes a part of an amount without it', () => {
  expect(sampledAmount('seconds', 5, 60)).toBe(5)
})

it('records how much was taken', async () => {
  taken(3, { walk: 'steps', cases: ['one', 'two', 'three', 'four'] })
  sampledAmount('seconds', 5, 60)
  const lines = (await readFile(join(dir, 'sampled.jsonl'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { walk: 'steps', ran: 1, of: 4 },
    { walk: 'seconds', ran: 5, of: 60 },
  ])
})

it('refuses a seed that is no number', () => {
  vi.stubEnv('SEED', 'today')
  expect(() => sampled('steps', ['one'])).toThrow('SEED must be a whole number: today')
})
