/** The embedded PostgreSQL in the place of PostgreSQL's image: what the image's entrypoint makes, and its command. */
import { chmod, mkdir } from 'node:fs/promises'
import { type Cluster, ensureCluster, findBinaries } from '@roomkeeper/embedded-postgres-server/low-level'
import pg from 'pg'
import { until } from '../until.ts'

export interface DatabaseStandIn {
  command: string[]
  cwd: string
  identity: Cluster['identity']
  /** Waits for PostgreSQL to answer, makes the database and sets the user's password, as the image does. */
  prepare(): Promise<void>
  isHealthy(): Promise<boolean>
  /** For tests that read the database directly. */
  url: string
}

export async function databaseStandIn(
  command: readonly string[],
  env: Record<string, string>,
  volume: string,
  address: string,
): Promise<DatabaseStandIn> {
  const [program, ...settings] = command
  const { POSTGRES_USER: user = '', POSTGRES_DB: name = '', POSTGRES_PASSWORD: password = '' } = env
  if (program !== 'postgres') throw new Error('The command of the database is not postgres.')
  if (user !== 'roomkeeper') throw new Error('The embedded PostgreSQL knows the user roomkeeper only.')
  await mkdir(volume, { recursive: true })
  // Under root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(volume, 0o755)
  const cluster = await ensureCluster(volume, await findBinaries(volume), { fsync: 'off' })
  const { binaries, folder, identity, connection } = cluster
  const here = { listen_addresses: address, port: '5432', unix_socket_directories: '' }
  const url = (secret: string, database: string) => `postgres://${user}:${secret}@${address}:5432/${database}`
  const answers = (at: string) =>
    run(at, 'select 1').then(
      () => true,
      () => false,
    )
  return {
    command: [
      binaries.postgres,
      ...['-D', folder],
      ...settings,
      ...Object.entries(here).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    cwd: folder,
    identity,
    async prepare() {
      const first = url(connection.password, 'postgres')
      await until('PostgreSQL answers', () => answers(first), 60)
      await run(first, `create database ${name}`)
      await run(first, `alter role ${user} password '${password}'`)
    },
    isHealthy: () => answers(url(password, name)),
    url: url(password, name),
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
