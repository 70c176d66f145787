/**
 * A connection to PostgreSQL that never waits for ever. A host that is switched off, a frozen server or a network that
 * drops packets does not end a connection: without limits a statement, and its connection in the pool, would hang until
 * the kernel gives up after about 15 minutes. So
 * - a connection that does not come about, and an answer that is owed for too long, end it; what waited fails with
 *   NoAnswer,
 * - keepalive ends connections that are idle, such as those that listen,
 * - PostgreSQL itself ends statements that run for too long, and transactions that were left open, and notices clients
 *   that are gone,
 * - a connection to a read-only server is given up where one that accepts writes is needed. Where node-postgres has
 *   only words for what went wrong, the errors are ours: they are told apart by their class.
 */

import { ErrorBeforeProof, requireScram } from '@roomkeeper/embedded-postgres-server/scram'
import pg from 'pg'
import type { DatabaseHosts } from './database-hosts.ts'

export interface ConnectionLimits {
  /** After so long PostgreSQL ends a statement; 0: never. */
  statementSeconds: number
  /** After so long without the answer to a statement the connection is given up; 0: never. Streams (COPY) have none. */
  answerSeconds: number
  /** An answer may take longer, as long as the server answers on other connections. */
  isPatient?: boolean
}

export interface GuardedConfig extends pg.ClientConfig {
  hosts: DatabaseHosts
  limits: ConnectionLimits
  connectMilliseconds: number
}

/** The server has not answered in time. Whether the statement took effect is unknown. */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT'
}

/** Something waited for an answer when the connection ended, or was asked of it afterwards. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection to the database was lost.')
  }
}

/** Such as a standby, or a primary that became one. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('The database only reads.')
  }
}

const keepAliveSeconds = 10
const idleInTransactionSeconds = 60
const endMilliseconds = 2_000
/**
 * After this process itself was frozen, the time is over but the answer may have arrived: it is read before the check.
 */
const lastCheckMilliseconds = 500

type Given = Parameters<pg.Client['query']>
type Failing = { handleError(error: Error, connection: pg.Connection): void }

export class GuardedClient extends pg.Client {
  readonly #config: GuardedConfig
  #waiting: NodeJS.Timeout | undefined
  #isUsable = true
  #isLeaving = false

  constructor(config: GuardedConfig) {
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: keepAliveSeconds * 1000 })
    this.#config = config
    if (config.hosts.scramOnly) requireScram(this)
    // The next queued statement has its own time; without one the queue is empty and 'drain' follows.
    this.connection.on('readyForQuery', () => this.#waiting && this.#watch())
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      // It has become a standby, or read-only: the next connection finds the host that accepts writes.
      if (code === '25006') setImmediate(() => this.abandon(new ReadOnlyServer()))
    })
    this.connection.on('error', () => {
      this.#isUsable = false
    })
    // Heard before node-postgres hears it, which would give what waits an error without a class.
    this.connection.once('end', () => {
      if (this.#isUsable && !this.#isLeaving) this.connection.emit('error', new ConnectionLost())
    })
    this.on('drain', () => this.#settle())
    this.on('end', () => this.#settle())
    this.on('error', () => {
      // Also by words of the server while nothing was asked: it ends, and says so between two statements.
      this.#isUsable = false
      config.hosts.forget()
    })
  }

  override connect = ((callback?: (error: Error | null) => void) => {
    const connecting = this.#connect()
    if (callback === undefined) return connecting.then(() => this)
    void connecting.then(() => callback(null), callback)
  }) as pg.Client['connect']

  override query = ((...given: Given) => {
    if (!this.#isUsable || this.#isLeaving) return failed(given, this.connection)
    const isStream = typeof given[0] === 'object' && 'submit' in given[0]
    if (!isStream && this.#waiting === undefined) this.#watch()
    return super.query(...given)
  }) as pg.Client['query']

  /** Closes the connection properly, or without the server's answer if that does not come. */
  override end = ((callback?: (error: Error) => void) => {
    this.#isLeaving = true
    const leaving = setTimeout(() => this.connection.stream.destroy(), endMilliseconds).unref()
    this.once('end', () => clearTimeout(leaving))
    return callback === undefined ? super.end() : super.end(callback)
  }) as pg.Client['end']

  /** Ends the connection at once; what waits for answers fails with `why`. */
  abandon(why: Error): void {
    this.connection.stream.destroy(why)
  }

  async #connect(): Promise<void> {
    const { hosts, connectMilliseconds } = this.#config
    const { host, port } = await hosts.find()
    Object.assign(this, { host, port })
    const late = setTimeout(() => {
      this.abandon(new NoAnswer(`The database gave no connection within ${connectMilliseconds / 1000} s.`))
    }, connectMilliseconds)
    try {
      await super.connect()
      // The last statement's answer is what counts; several make a list of them.
      const answers = (await this.query(this.#preparation())) as unknown as pg.QueryResult[]
      const { transaction_read_only: readOnly } = answers.at(-1)?.rows[0] ?? {}
      if (hosts.mustTakeWrites && readOnly === 'on') throw new ReadOnlyServer()
    } catch (error) {
      hosts.forget()
      this.connection.stream.destroy()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** By statement, not in the startup message: poolers refuse unknown parameters there. */
  #preparation(): string {
    const { connectionString = '', limits } = this.#config
    const settings = {
      statement_timeout: `${limits.statementSeconds}s`,
      idle_in_transaction_session_timeout: `${idleInTransactionSeconds}s`,
      tcp_keepalives_idle: '30',
      tcp_keepalives_interval: '5',
      tcp_keepalives_count: '4',
    }
    return Object.entries(settings)
      .filter(([name]) => !connectionString.includes(name))
      .map(([name, value]) => `set ${name} = '${value}'; `)
      .concat('show transaction_read_only')
      .join('')
  }

  #watch(): void {
    const { answerSeconds } = this.#config.limits
    if (answerSeconds === 0) return
    this.#settle()
    this.#waiting = setTimeout(() => {
      this.#waiting = setTimeout(() => void this.#judge(), lastCheckMilliseconds)
    }, answerSeconds * 1000)
  }

  async #judge(): Promise<void> {
    const { answerSeconds, isPatient = false } = this.#config.limits
    const judged = this.#waiting
    const isThere = isPatient && (await this.#answersOthers())
    // The answer may have come meanwhile.
    if (this.#waiting !== judged) return
    if (isThere) this.#watch()
    else this.abandon(new NoAnswer(`The database did not answer within ${answerSeconds} s.`))
  }

  /** Keepalive does not notice a frozen server, nor, while data is being sent, a lost host. */
  async #answersOthers(): Promise<boolean> {
    const other = new GuardedClient({ ...this.#config, limits: { ...this.#config.limits, isPatient: false } })
    other.on('error', () => undefined)
    try {
      await other.connect()
      return other.host === this.host && other.port === this.port
    } catch (error) {
      // Such as too many connections.
      return error instanceof pg.DatabaseError || error instanceof ErrorBeforeProof
    } finally {
      other.end().catch(() => undefined)
    }
  }

  #settle(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
  }
}

/** As node-postgres does it on a connection that has ended, for each form of a query. */
function failed([query, ...rest]: Given, connection: pg.Connection): unknown {
  const error = new ConnectionLost()
  const callback = rest.at(-1)
  if (typeof callback === 'function') return process.nextTick(callback as (error: Error) => void, error)
  if (typeof query !== 'object' || !('submit' in query)) return Promise.reject(error)
  process.nextTick(() => (query as unknown as Failing).handleError(error, connection))
  return query
}
