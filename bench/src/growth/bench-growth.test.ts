import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNetworkDatabase } from '@roomkeeper/dev-env'
import { afterAll, describe, expect, test } from 'vitest'
import { benchGrowth } from './bench-growth.ts'
import { readPoints } from './growth-points.ts'

const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-growth-'))
const database = await createNetworkDatabase()
afterAll(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

const page = join(dir, 'growth.md')
const file = join(dir, 'growth.json')

// The export is compared with that of psql.
describe.skipIf(spawnSync('psql', ['--version']).status !== 0)('growth', () => {
  test('each size is measured once, and stands in the tables', async () => {
    await writeFile(page, 'Before.\n<!-- written by npm run bench -- growth -->\nold\n<!-- until here -->\nAfter.\n')
    await measure([300])
    const [first] = await readPoints(file)
    await measure([600, 300])
    const points = await readPoints(file)
    expect(points.map(({ size }) => size)).toEqual([300, 600])
    expect(points[0]).toEqual(first)
    for (const { load, revision, machine, measures } of points) {
      expect(load).toBeGreaterThanOrEqual(0)
      expect(revision).toMatch(/^[0-9a-f]{7,}$/)
      expect(machine).toMatch(/^\d+ cores, .*PostgreSQL 1\d.*Node \d/)
      for (const [name, { value, bare = 1 }] of Object.entries(measures))
        expect([name, Number.isFinite(value), Number.isFinite(bare)]).toEqual([name, true, true])
      for (const name of ['first-page.time', 'search-total.time', 'middle-page.time', 'calls.rate', 'export.rate'])
        expect(measures[name]?.bare, name).toBeGreaterThan(0)
      for (const name of ['export.first-byte', 'create.alone', 'create.rate', 'bytes.table', 'bytes.index.rooms_name'])
        expect(measures[name]?.value, name).toBeGreaterThan(0)
    }
    const text = await readFile(page, 'utf8')
    expect(text).toMatch(/^Before\.\n.*\| 300 +\|.*\| 600 +\|.*\nAfter\.\n$/s)
    expect(text).not.toContain('old')
    expect(text).toMatch(/\| first page +\|( +[\d.,]+ \([\d.]+\) \|){2}/)
  }, 300_000)

  test('nothing is written into a page without a place for it', async () => {
    await writeFile(page, 'No marks.\n')
    await expect(measure([300])).rejects.toThrow('no place for tables')
    expect(await readFile(page, 'utf8')).toBe('No marks.\n')
    expect(existsSync(file)).toBe(true)
  })
})

function measure(sizes: number[]): Promise<void> {
  return benchGrowth({
    sizes,
    rounds: 1,
    dataDir: join(dir, 'data'),
    databaseUrl: database.url,
    docs: dir,
    seconds: { list: 0.01, calls: 0.2 },
    work: { idleSeconds: 1, settledMilliseconds: 500, alone: 1, rooms: 4 },
  })
}
