/** A real server with as many rooms as wanted, and a bare connection to its database. */
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { administrator, type RunningServer, seedRooms, signIn, startServer } from '@roomkeeper/dev-env'
import pg from 'pg'

export interface BenchServer {
  server: RunningServer
  /** Of the administrator. */
  token: string
  databaseUrl: string
  database: pg.Client
  stop(): Promise<void>
}

/** @param options.dataDir kept when given */
export async function startBenchServer(options: { rooms: number; dataDir: string | undefined }): Promise<BenchServer> {
  const dataDir = resolve(options.dataDir ?? (await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))))
  await mkdir(dataDir, { recursive: true })
  // As root, PostgreSQL runs as another user and has to enter the folder.
  await chmod(dataDir, 0o755)
  const ownUrl = process.env.BENCH_DATABASE_URL
  const server = await startServer({
    DATA_DIR: dataDir,
    EMBEDDED_REGIONS: '0',
    ...(ownUrl === undefined ? {} : { DATABASE_URL: ownUrl }),
  })
  const databaseUrl =
    ownUrl ?? (JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { url: string }).url
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await fill(database, options.rooms)
  const { token } = await signIn(() => server.address, administrator)
  return {
    server,
    token,
    databaseUrl,
    database,
    async stop() {
      await database.end()
      await server.stop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true })
    },
  }
}

async function fill(database: pg.Client, rooms: number): Promise<void> {
  const { rows } = await database.query<{ count: string }>('select count(*) from rooms')
  const missing = rooms - Number(rows[0]?.count)
  if (missing <= 0) return
  const begun = Date.now()
  const log = (count: number) =>
    console.error(`seeded ${count} of ${missing} rooms, ${Math.round((Date.now() - begun) / 1000)} s`)
  await seedRooms(database, { rooms: missing, regions: 5, onProgress: log })
  await database.query('vacuum analyze rooms')
}
