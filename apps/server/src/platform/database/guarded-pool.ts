/** A pool of guarded connections (guarded-client.ts) for which no caller waits for ever. */
import pg from 'pg'
import { GuardedClient, type GuardedConfig, NoAnswer } from './guarded-client.ts'

export interface GuardedPoolConfig extends GuardedConfig {
  /** The size of the pool. */
  max: number
}

/**
 * All connections were in use for too long, although PostgreSQL answers. Callers that only tell whether the database can
 * work at the moment take it for an outage.
 */
export class NoFreeConnection extends NoAnswer {}

/** How often a caller waits, as long as others give their connections back meanwhile. */
const mostWaits = 3

type Taken = Parameters<pg.Pool['connect']>[0]

export class GuardedPool extends pg.Pool {
  readonly #waitMilliseconds: number
  /** How many connections were given back in working order. */
  #returned = 0

  constructor(config: GuardedPoolConfig) {
    super({
      ...config,
      Client: GuardedClient as unknown as NonNullable<pg.PoolConfig['Client']>,
      connectionTimeoutMillis: config.connectMilliseconds,
    })
    this.#waitMilliseconds = config.connectMilliseconds
    // The next query replaces idle connections that were lost; without a listener their error would end the process.
    this.on('error', () => undefined)
    const idle = new Set<pg.PoolClient>()
    this.on('acquire', (client) => idle.delete(client))
    this.on('release', (error, client) => {
      idle.add(client)
      if (!error) this.#returned += 1
    })
    this.on('remove', (client) => idle.delete(client))
    this.on('connect', (client) => {
      // Likewise for a connection that is lost between two statements of a transaction: the next statement fails.
      client.on('error', (error: Error) => {
        if (!(error instanceof NoAnswer)) return
        // Idle connections lead to the same silent host; each would cost a caller the same wait.
        for (const other of idle) (other as unknown as GuardedClient).abandon(error)
      })
    })
  }

  override connect = ((callback?: Taken) => {
    const taken = this.#inTurn(() => super.connect())
    if (callback === undefined) return taken
    void taken.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
  }) as pg.Pool['connect']

  /**
   * Refuses a caller after one wait if the database is silent, so that calls do not pile up. While other callers give
   * connections back, the database works, and the caller waits up to three times.
   * @throws NoAnswer, NoFreeConnection, and what connecting throws
   */
  async #inTurn(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    for (let waits = 1; ; waits++) {
      const returnedBefore = this.#returned
      try {
        return await this.#inTime(connect)
      } catch (error) {
        if (!(error instanceof NoAnswer) || this.#returned === returnedBefore) throw error
        if (waits === mostWaits) throw new NoFreeConnection('Others have had all connections to the database too long.')
      }
    }
  }

  /**
   * The pool rejects callers that have waited too long, but its error has no class. So a timer of the same length is
   * set before the pool sets its own, and fires first.
   */
  #inTime(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      reject(new NoAnswer(`The database gave no connection within ${this.#waitMilliseconds / 1000} s.`))
    }, this.#waitMilliseconds)
    connect()
      .then(
        (client) => (isLate ? client.release() : resolve(client)),
        (error: unknown) => reject(error),
      )
      .finally(() => clearTimeout(late))
    return promise
  }
}
