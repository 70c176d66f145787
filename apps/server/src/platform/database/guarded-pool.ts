/** A pool of guarded connections (guarded-client.ts) for which no caller waits for ever. */
import pg from 'pg'
import { GuardedClient, type GuardedConfig, NoAnswer } from './guarded-client.ts'

export interface GuardedPoolConfig extends GuardedConfig {
  /** The size of the pool. */
  max: number
}

type Taken = Parameters<pg.Pool['connect']>[0]

export class GuardedPool extends pg.Pool {
  readonly #waitMilliseconds: number

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
    this.on('release', (_, client) => idle.add(client))
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

  /**
   * The pool rejects callers that have waited too long, but its error has no class. So a timer of the same length is
   * set before the pool sets its own, and fires first.
   */
  override connect = ((callback?: Taken) => {
    const taken = this.#inTime(() => super.connect())
    if (callback === undefined) return taken
    void taken.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
  }) as pg.Pool['connect']

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
