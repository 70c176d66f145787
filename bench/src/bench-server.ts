/** A real server with the given number of rooms, and a direct connection to its database. */
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { administrator, type RunningServer, type SignedInClient, signIn, startServer } from '@roomkeeper/dev-env'
import pg from 'pg'
import { fillWithRooms } from './fill-with-rooms.ts'
import { cpuOf, cpuOfTree, parentOf } from './process-cost.ts'

export interface BenchServer {
  server: RunningServer
  /** The API, as the administrator. */
  admin: SignedInClient
  /** The administrator's. */
  token: string
  /** The folder with everything that the server keeps. */
  dataDir: string
  databaseUrl: string
  database: pg.Client
  /** The process id of PostgreSQL's first process; null if it runs elsewhere. */
  postmaster: number | null
  stop(): Promise<void>
}

export interface BenchServerOptions {
  /** At least so many are there afterwards. */
  rooms: number
  /** Is kept afterwards; default: a temporary folder. */
  dataDir: string | undefined
  /** Default: BENCH_DATABASE_URL; without it, the embedded PostgreSQL of the data folder. */
  databaseUrl?: string
}

/** @param env additional settings */
export async function startBenchServer(
  options: BenchServerOptions,
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const dataDir = resolve(options.dataDir ?? (await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))))
  await mkdir(dataDir, { recursive: true })
  // When this runs as root, PostgreSQL runs as another user, which has to enter the folder.
  await chmod(dataDir, 0o755)
  const ownUrl = options.databaseUrl ?? process.env.BENCH_DATABASE_URL
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
  const admin = await signIn(() => server.address, administrator)
  return {
    server,
    admin,
    token: admin.token,
    dataDir,
    databaseUrl,
    database,
    postmaster: await findPostmaster(database, databaseUrl),
    async stop() {
      await database.end()
      await server.stop()
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true })
    },
  }
}

async function findPostmaster(database: pg.Client, url: string): Promise<number | null> {
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)) return null
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  return parentOf(rows[0]?.pid ?? 0)
}

/** CPU in milliseconds; that of PostgreSQL is null if it runs elsewhere. */
export interface ServersCpu {
  server: number
  postgres: number | null
}

/** @returns a function that gives what the server and PostgreSQL have taken since this call */
export function startCpuMeter({ server, postmaster }: BenchServer): () => ServersCpu {
  const soFar = () => ({ server: cpuOf(server.child.pid), postgres: postmaster === null ? 0 : cpuOfTree(postmaster) })
  const before = soFar()
  return () => {
    const now = soFar()
    return { server: now.server - before.server, postgres: postmaster === null ? null : now.postgres - before.postgres }
  }
}
