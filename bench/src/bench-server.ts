/** A real server with the given number of rooms, and a direct connection to its database. */
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { administrator, type RunningServer, seedRooms, signIn, startServer } from '@roomkeeper/dev-env'
import pg from 'pg'

export interface BenchServer {
  server: RunningServer
  /** The administrator's. */
  token: string
  /** The folder with everything that the server keeps. */
  dataDir: string
  databaseUrl: string
  database: pg.Client
  stop(): Promise<void>
}

/** @param options.dataDir is kept afterwards @param env additional settings */
export async function startBenchServer(
  options: { rooms: number; dataDir: string | undefined },
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const dataDir = resolve(options.dataDir ?? (await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))))
  await mkdir(dataDir, { recursive: true })
  // When this runs as root, PostgreSQL runs as another user, which has to enter the folder.
  await chmod(dataDir, 0o755)
  const ownUrl = process.env.BENCH_DATABASE_URL
  const server = await startServer({
    DATA_DIR: dataDir,
    EMBEDDED_REGIONS: '0',
    ...(ownUrl === undefined ? {} : { DATABASE_URL: ownUrl }),
    ...env,
  })
  const databaseUrl =
    ownUrl ?? (JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { url: string }).url
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await fillWithRooms(database, { rooms: options.rooms, regions: 5 })
  const { token } = await signIn(() => server.address, administrator)
  return {
    server,
    token,
    dataDir,
    databaseUrl,
    database,
    async stop() {
      await database.end()
      await server.stop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true })
    },
  }
}

/** Adds rooms until there are `rooms`, in regions named `seed-1` …, reusing those that exist. */
export async function fillWithRooms(
  database: pg.Client,
  { rooms, regions }: { rooms: number; regions: number },
): Promise<void> {
  const { rows } = await database.query<{ count: string }>('select count(*) from rooms')
  const missing = rooms - Number(rows[0]?.count)
  if (missing <= 0) return
  const begun = Date.now()
  const log = (count: number) =>
    console.error(`seeded ${count} of ${missing} rooms, ${Math.round((Date.now() - begun) / 1000)} s`)
  await seedRooms(database, { rooms: missing, regions, onProgress: log })
  await database.query('vacuum analyze rooms')
}
