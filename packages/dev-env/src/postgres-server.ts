/**
 * A PostgreSQL server of its own for tests in which it is frozen, killed, or lost and replaced by a standby that has
 * followed it all the time.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Cluster, ensureCluster, findBinaries, urlOf } from '@roomkeeper/embedded-postgres-server/low-level'
import pg from 'pg'
import { copyCluster } from './copy-cluster.ts'
import { freePort } from './free-port.ts'
import { continueTree, killTree, stopTree } from './process-tree.ts'
import { until } from './until.ts'

export interface PostgresServer {
  host: string
  port: number
  /** @param name the database; default: the one that every cluster has */
  url(name?: string): string
  createDatabase(name: string): Promise<void>
  rows<Row>(text: string, values?: unknown[], database?: string): Promise<Row[]>
  /** Stops all its processes: connections are accepted, but nothing is answered. Linux only. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Simulates that the machine loses power: connections are not closed, and nothing more is written. */
  kill(): Promise<void>
  /** Starts it on the same data and port, after `kill` or after it ended by itself (a full disk). */
  start(): Promise<void>
  /** Makes a standby that follows this server. `synchronous`: this one confirms no commit before the standby has it. */
  addStandby(options?: { synchronous?: boolean }): Promise<PostgresServer>
  /** For a standby: it accepts writes from now on and follows no server. */
  promote(): Promise<void>
  /** Ends it and removes its data. Its standbys stay. */
  discard(): Promise<void>
  /** Ends it and removes its data and that of its standbys. */
  remove(): Promise<void>
}

/** The settings that replication needs, with no more safety on disk than a test needs. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '100',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  max_wal_senders: '10',
  timezone: 'UTC',
}

/**
 * @param within the folder for its data and that of its standbys; default: the folder for temporary files
 * @param env more environment, also of its standbys
 */
export async function startPostgresServer(
  within = tmpdir(),
  env: Record<string, string> = {},
): Promise<PostgresServer> {
  const dir = await realpath(await mkdtemp(join(within, 'roomkeeper-postgres-')))
  // Under root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755)
  const dataDir = join(dir, 'primary')
  await mkdir(dataDir, { mode: 0o755 })
  const cluster = await ensureCluster(dataDir, await findBinaries(dataDir), { fsync: 'off' })
  return runCluster({ ...cluster, env }, await freePort(), () => rm(dir, { recursive: true, force: true }))
}

type ClusterUnderTest = Cluster & { env: Record<string, string> }

async function runCluster(
  cluster: ClusterUnderTest,
  port: number,
  removeData: () => Promise<void>,
): Promise<PostgresServer> {
  const host = '127.0.0.1'
  const { connection } = cluster
  const standbys: PostgresServer[] = []
  let postmaster = startPostmaster(cluster, port)
  const server: PostgresServer = {
    host,
    port,
    url: (name = 'postgres') => urlOf({ ...connection, port }, name),
    async createDatabase(name) {
      await server.rows(`create database ${name}`)
    },
    async rows(text, values = [], database = 'postgres') {
      const client = new pg.Client({ connectionString: server.url(database), connectionTimeoutMillis: 20_000 })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
    async freeze() {
      await stopTree(postmaster.pid)
    },
    thaw: () => continueTree(postmaster.pid),
    async kill() {
      if (hasEnded(postmaster)) return
      const ended = once(postmaster, 'exit')
      await killTree(postmaster.pid)
      await ended
    },
    async start() {
      if (hasEnded(postmaster)) postmaster = startPostmaster(cluster, port)
      await answers(server)
    },
    async addStandby({ synchronous = false } = {}) {
      const standby = await makeStandby(cluster, server, `standby_${standbys.length + 1}`)
      standbys.push(standby)
      await until('the standby follows', () => follows(server, standbys.length))
      if (synchronous) {
        await server.rows(`alter system set synchronous_standby_names = '*'`)
        await server.rows('select pg_reload_conf()')
        await until('it is waited for', async () => (await server.rows(waitedFor)).length > 0)
      }
      return standby
    },
    async promote() {
      await server.rows('select pg_promote(true, 60)')
      // It has this setting from its primary, but it has no standby to wait for.
      await server.rows(`alter system set synchronous_standby_names = ''`)
      await server.rows('select pg_reload_conf()')
    },
    async discard() {
      await server.kill()
      await rm(cluster.folder, { recursive: true, force: true })
    },
    async remove() {
      for (const standby of standbys) await standby.remove()
      await server.kill()
      await removeData()
    },
  }
  await answers(server)
  return server
}

const waitedFor = `select 1 from pg_stat_replication where sync_state = 'sync'`

async function follows(server: PostgresServer, wanted: number): Promise<boolean> {
  const following = await server.rows(`select 1 from pg_stat_replication where state = 'streaming'`)
  return following.length === wanted
}

async function makeStandby(primary: ClusterUnderTest, server: PostgresServer, name: string): Promise<PostgresServer> {
  // The primary's folder is not part of the name, which would grow with each standby of a standby.
  const folder = join(dirname(primary.folder), `${name}-${randomUUID()}`)
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  try {
    await copyCluster(client, primary, folder, {
      primary_conninfo: `host=${server.host} port=${server.port} user=roomkeeper password=${primary.connection.password} application_name=${name}`,
    })
  } finally {
    await client.end()
  }
  return runCluster({ ...primary, folder }, await freePort(), () => rm(folder, { recursive: true, force: true }))
}

function startPostmaster({ binaries, folder, identity, env }: ClusterUnderTest, port: number): ChildProcess {
  const parameters = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(binaries.postgres, ['-D', folder, ...parameters], {
    stdio: 'ignore',
    cwd: folder,
    env: { LC_ALL: 'C', PATH: process.env.PATH ?? '', ...env },
    ...identity,
  })
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function answers(server: PostgresServer): Promise<void> {
  const answersNow = () =>
    server.rows('select 1').then(
      () => true,
      () => false,
    )
  await until(`PostgreSQL answers on port ${server.port}`, answersNow, 60)
}
