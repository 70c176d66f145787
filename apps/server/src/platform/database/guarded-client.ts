/**
 * A connection to PostgreSQL that never waits for ever. A host that is switched off, a frozen server or a network that
 * drops packets does not end a connection: without limits a statement, and its connection in the pool, would hang until
 * the kernel gives up after about 15 minutes. So
 * - a connection that cannot be opened in time, or that owes an answer for too long, is destroyed, and every call that
 *   waits for it fails with NoAnswer,
 * - keepalive ends idle connections, such as those that listen, when the host is gone,
 * - PostgreSQL itself ends statements that run for too long and transactions that were left open, and notices clients
 *   that are gone,
 * - a connection to a read-only server is given up where one that accepts writes is needed.
 * Where node-postgres only has an error message, we throw classes of our own, so that callers can tell errors apart.
 */

import pg from 'pg'
import { nameOfPrepared } from '../prepared-statements.ts'
import type { DatabaseHosts } from './database-hosts.ts'

export interface ConnectionLimits {
  /** PostgreSQL ends a statement after this time; 0: never. */
  statementSeconds: number
  /** A connection is given up after waiting this long for an answer; 0: never. Streams (COPY) have no limit. */
  answerSeconds: number
  /** Whether an answer may take longer while the server still answers on other connections. */
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

/** The connection ended while a statement waited for its answer, or before the statement was sent. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection to the database was lost.')
  }
}

/** The server is read-only, such as a standby, or a primary that has become one. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('The database only reads.')
  }
}

const keepAliveSeconds = 10
const idleInTransactionSeconds = 60
const endMilliseconds = 2_000
/** If this process itself was frozen, the answer may have arrived by the time-out: this pause lets it be read. */
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
    // The next queued statement gets its own time; if there is none, 'drain' follows.
    this.connection.on('readyForQuery', () => this.#waiting && this.#watch())
    this.connection.on('errorMessage', ({ code, routine }: { code?: string; routine?: string }) => {
      // The server has become a standby or read-only: the next connection finds the host that accepts writes.
      if (code === '25006') setImmediate(() => this.abandon(new ReadOnlyServer()))
      // A schema change has given a prepared statement other columns: only a new connection can prepare it again.
      if (routine === 'RevalidateCachedQuery') queueMicrotask(() => this.abandon(new ConnectionLost()))
    })
    this.connection.on('error', () => {
      this.#isUsable = false
    })
    // Runs before node-postgres, which would fail the waiting statements with an error without a class.
    this.connection.once('end', () => {
      if (this.#isUsable && !this.#isLeaving) this.connection.emit('error', new ConnectionLost())
    })
    this.on('drain', () => this.#settle())
    this.on('end', () => this.#settle())
    this.on('error', () => {
      // Fires too when the server announces between two statements that it is shutting down.
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
    return super.query(...asPrepared(given))
  }) as pg.Client['query']

  /** Closes the connection gracefully, or destroys it when the server does not answer in time. */
  override end = ((callback?: (error: Error) => void) => {
    this.#isLeaving = true
    const leaving = setTimeout(() => this.connection.stream.destroy(), endMilliseconds).unref()
    this.once('end', () => clearTimeout(leaving))
    return callback === undefined ? super.end() : super.end(callback)
  }) as pg.Client['end']

  /** Destroys the connection; statements that wait for answers fail with `why`. */
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
      // Several statements give a list of answers; the last one counts.
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

  /** Sets the limits by statements, because poolers refuse unknown parameters in the startup message. */
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
    // The answer may have arrived meanwhile.
    if (this.#waiting !== judged) return
    if (isThere) this.#watch()
    else this.abandon(new NoAnswer(`The database did not answer within ${answerSeconds} s.`))
  }

  /** Needed because keepalive notices neither a frozen server nor, while data is being sent, a lost host. */
  async #answersOthers(): Promise<boolean> {
    const other = new GuardedClient({ ...this.#config, limits: { ...this.#config.limits, isPatient: false } })
    other.on('error', () => undefined)
    try {
      await other.connect()
      return other.host === this.host && other.port === this.port
    } catch (error) {
      // A refusal, such as for too many connections, is an answer too.
      return error instanceof pg.DatabaseError
    } finally {
      other.end().catch(() => undefined)
    }
  }

  #settle(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
  }
}

/** The same query, with the name under which it is prepared, if it is. */
function asPrepared(given: Given): Given {
  const [text, values, ...rest] = given as unknown[]
  const name = typeof text === 'string' ? nameOfPrepared(text) : undefined
  return name === undefined ? given : ([{ name, text, values }, ...rest] as unknown as Given)
}

/** Fails a query as node-postgres does on an ended connection, for each form of a query. */
function failed([query, ...rest]: Given, connection: pg.Connection): unknown {
  const error = new ConnectionLost()
  const callback = rest.at(-1)
  if (typeof callback === 'function') return process.nextTick(callback as (error: Error) => void, error)
  if (typeof query !== 'object' || !('submit' in query)) return Promise.reject(error)
  process.nextTick(() => (query as unknown as Failing).handleError(error, connection))
  return query
}
