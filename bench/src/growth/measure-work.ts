/** What the console costs at one size while it is idle, and while rooms are created on a real region. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  openOperations,
  type RunningRegion,
  registerRegion,
  startRegion,
  startServer,
  until,
} from '@roomkeeper/dev-env'
import type { BenchServer } from '../bench-server.ts'
import { median, timed } from '../measure.ts'
import { countingDatabase } from '../operations/database-counter.ts'
import { createOne, createRooms, measureIdle, measureMany, type Site } from '../operations/measure-operations.ts'
import { cpuOf, cpuOfTree } from '../process-cost.ts'
import { regionWithoutFaults } from '../without-faults.ts'
import type { Measures } from './growth-points.ts'

/** Settings of the API and of the worker. @param dataDir of both */
export const sharedSettings = (dataDir: string) => ({
  SECRET_KEY: secretKeyOf(dataDir),
  DATA_SHARED: '1',
  EMBEDDED_REGIONS: '0',
  REGION_CONCURRENCY: '16',
  // The regions of seeded rooms have no server.
  REGION_HEALTH_SECONDS: '0',
  ROOM_RECORD_SECONDS: '0',
})

/** The data may come from a console that made a key for itself. */
function secretKeyOf(dataDir: string): string {
  const file = join(dataDir, 'secret.key')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'a secret key for benches only'
}

export interface WorkOptions {
  idleSeconds: number
  /** How long to wait for PostgreSQL's counters; default: as long as they may take. */
  settledMilliseconds?: number
  /** How many rooms are created alone, and how many by many clients at once. */
  alone: number
  rooms: number
}

/** @param bench its server answers calls and runs no operations */
export async function measureWork(bench: BenchServer, measures: Measures, options: WorkOptions): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomkeeper-bench-region-'))
  const region = await startRegion({
    name: `growth-${randomBytes(4).toString('hex')}`,
    dataDir,
    ...regionWithoutFaults,
  })
  const worker = await startServer({
    ...sharedSettings(bench.dataDir),
    PROCESS: 'worker',
    DATA_DIR: bench.dataDir,
    DATABASE_URL: bench.databaseUrl,
  })
  const counter = await countingDatabase(bench.databaseUrl, options.settledMilliseconds)
  try {
    const site = siteOf(bench)
    const at = await register(bench, region)
    await createRooms(site, 20, at)
    const servers = [bench.server, worker]
    const idle = await measureIdle(counter, servers, options.idleSeconds)
    measures.add('idle.cpu', '% of a core', idle.cpu)
    measures.add('idle.commits', 'commits/s', idle.commits)
    measures.add('idle.memory-api', 'MiB', idle.memory[0])
    measures.add('idle.memory-worker', 'MiB', idle.memory[1])
    const alone: number[] = []
    for (let round = 0; round < options.alone; round++) alone.push(await timed(() => createOne(site, counter, at)))
    measures.add('create.alone', 'ms', median(alone))
    const meters = {
      'api-cpu': () => cpuOf(bench.server.child.pid),
      'worker-cpu': () => cpuOf(worker.child.pid),
      'region-cpu': () => cpuOfTree(region.child.pid ?? 0),
      ...(bench.postmaster === null ? {} : { 'postgres-cpu': cpuOfTree.bind(null, bench.postmaster) }),
    }
    const wanted = { rooms: options.rooms, region: at, idleCommits: idle.commits }
    const many = await measureMany(site, counter, Object.values(meters), wanted)
    measures.add('create.rate', 'rooms/s', many.perSecond)
    measures.add('create.commits', 'commits', many.commits)
    measures.add('create.wal', 'bytes', many.wal)
    for (const [index, name] of Object.keys(meters).entries()) measures.add(`create.${name}`, 'ms', many.cpu[index])
  } finally {
    await counter.close()
    await worker.stop()
    await region.stop('SIGKILL')
    await rm(dataDir, { recursive: true })
  }
}

function siteOf({ admin, database: client }: BenchServer): Site {
  const database: Site['database'] = { rows: async (text, values = []) => (await client.query(text, values)).rows }
  const settle = () => until('all operations have ended', async () => (await openOperations(database)) === 0, 120)
  return { admin, database, settle }
}

/** @returns the region's id */
async function register({ admin, database }: BenchServer, region: RunningRegion): Promise<number> {
  await registerRegion(admin, region)
  const { rows } = await database.query<{ id: number }>('select id from regions where name = $1', [region.name])
  return rows[0]?.id ?? 0
}
