/**
 * How each measure grows with the number of rooms. One folder of data is filled further for each size; what was measured
 * is kept in docs/growth.json, and written into the tables of docs/growth.md.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import { type BenchServer, startBenchServer } from '../bench-server.ts'
import { withTables } from '../with-tables.ts'
import { Measures, newestPoints, type Point, readPoints, writePoints } from './growth-points.ts'
import { growthTables } from './growth-tables.ts'
import { measureBytes } from './measure-bytes.ts'
import { measureAllStatistics, measureExport, measureLists, measureManyCalls } from './measure-reading.ts'
import { measureWork, sharedSettings, type WorkOptions } from './measure-work.ts'

export interface GrowthOptions {
  /** Numbers of rooms, from the smallest on. */
  sizes: readonly number[]
  /** Measurements of each list. */
  rounds: number
  /** Is kept afterwards; default: a temporary folder. */
  dataDir: string | undefined
  databaseUrl?: string
  /** The folder of growth.json and growth.md. */
  docs?: string
  /** How long lists are called for their CPU, and the first page by many clients. */
  seconds?: { list: number; calls: number }
  work?: WorkOptions
}

const usual = {
  docs: join(repository, 'docs'),
  seconds: { list: 2, calls: 20 },
  work: { idleSeconds: 30, alone: 20, rooms: 200 },
}

export async function benchGrowth(given: GrowthOptions): Promise<void> {
  const options = { ...usual, ...given }
  const dataDir = resolve(given.dataDir ?? (await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))))
  const file = join(options.docs, 'growth.json')
  const revision = lastChangeOfTheProduct()
  for (const size of options.sizes.toSorted((a, b) => a - b)) {
    const points = await readPoints(file)
    if (points.some((point) => point.size === size && point.revision === revision)) {
      console.log(`${size.toLocaleString('en')} rooms were measured at ${revision} already.`)
      continue
    }
    const postgres = await postgresFor(dataDir, options.databaseUrl ?? process.env.BENCH_DATABASE_URL)
    try {
      const point = await measureSize({ ...options, dataDir, databaseUrl: postgres.url }, size)
      await writePoints(file, [...points, { ...point, revision }])
    } finally {
      await postgres.stop()
    }
  }
  const page = join(options.docs, 'growth.md')
  const tables = growthTables(newestPoints(await readPoints(file)))
  await writeFile(page, withTables(await readFile(page, 'utf8'), 'growth', tables))
  if (given.dataDir === undefined) await rm(dataDir, { recursive: true })
}

/** API and worker are two processes, so neither of them starts the embedded PostgreSQL. */
async function postgresFor(dataDir: string, url: string | undefined) {
  if (url !== undefined) return { url, stop: async () => undefined }
  await mkdir(dataDir, { recursive: true })
  // When this runs as root, PostgreSQL runs as another user, which has to enter the folder.
  await chmod(dataDir, 0o755)
  return startEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn: console.error } })
}

type SizeOptions = Required<Pick<GrowthOptions, 'rounds' | 'seconds' | 'work'>> & {
  dataDir: string
  databaseUrl: string
}

async function measureSize(options: SizeOptions, size: number): Promise<Omit<Point, 'revision'>> {
  const { dataDir, databaseUrl, rounds, seconds, work } = options
  const settings = { ...sharedSettings(dataDir), PROCESS: 'api' }
  const bench = await startBenchServer({ rooms: size, dataDir, databaseUrl }, settings)
  const measures = new Measures()
  const loads: number[] = []
  const parts: [string, () => Promise<void>][] = [
    ['bytes', () => measureBytes(bench.database, measures)],
    ['lists', () => measureLists(bench, measures, { rounds, seconds: seconds.list })],
    ['calls', () => measureManyCalls(bench, measures, seconds.calls)],
    ['statistics', () => measureAllStatistics(bench, measures, rounds)],
    ['export', () => measureExport(bench, measures)],
    ['work', () => measureWork(bench, measures, work)],
  ]
  try {
    for (const [name, measurePart] of parts) {
      await measurePart()
      loads.push(loadavg()[0] ?? 0)
      console.log(`${size.toLocaleString('en')} rooms: ${name} measured, load ${loads.at(-1)?.toFixed(1)}`)
    }
    const load = Number(Math.max(...loads).toFixed(1))
    return { size, load, machine: await machineOf(bench), measures: measures.all }
  } finally {
    await bench.stop()
  }
}

/** The commit, so that changes of tests' tools, benches and pages do not ask for new measurements. */
function lastChangeOfTheProduct(): string {
  const args = ['log', '-1', '--format=%h', '--', 'apps/server', 'apps/region', 'packages']
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
}

async function machineOf({ database }: BenchServer): Promise<string> {
  const { rows } = await database.query<{ server_version: string }>('show server_version')
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} cores, ${memory}, PostgreSQL ${rows[0]?.server_version}, Node ${process.versions.node}`
}
