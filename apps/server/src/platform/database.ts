/**
 * The one way into PostgreSQL: a pool, and kysely over it. Every connection is guarded (database/guarded-client.ts):
 * none hangs for ever, and each goes to the host that takes writes.
 */
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { columnNames } from './column-names.ts'
import { databaseHosts } from './database/database-hosts.ts'
import { type ConnectionLimits, GuardedClient } from './database/guarded-client.ts'
import { GuardedPool } from './database/guarded-pool.ts'
import { type Exports, mostExports, openExports } from './exports.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction, or the database itself where one statement is enough. */
export type Tx = Transaction<Tables>

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction; rolled back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  exports: Exports
  /** One more pool on the same database. The caller closes it. */
  openPool(options: PoolOptions): pg.Pool
  /**
   * One connection outside of all pools, for work that must not wait for a free connection. Its loss fails the
   * statements under way and fires 'end'; it does not reconnect by itself.
   */
  openConnection(options: ConnectionOptions): Promise<pg.Client>
  close(): Promise<void>
}

export interface ConnectionOptions extends Partial<ConnectionLimits> {
  /** As pg_stat_activity shows it. */
  name: string
}

export interface PoolOptions extends ConnectionOptions {
  most: number
}

export interface DatabaseOptions {
  /** Of the pool; default 10. */
  maxConnections?: number
  /** After how long a statement is ended; default 15. What may take longer (COPY, schema changes) says so. */
  timeoutSeconds?: number
  /** For programs that read everything: no statement is ended, but a lost host is still noticed. */
  patient?: boolean
}

export const noLimits: ConnectionLimits = { statementSeconds: 0, answerSeconds: 0 }
const connectMilliseconds = 5_000

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const asIso = (text: string) => new Date(text).toISOString()
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, asIso)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/**
 * @param url a PostgreSQL connection URL; it may name several hosts, see database/database-hosts.ts
 * @throws WrongDatabaseUrl
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const hosts = databaseHosts(url)
  const { maxConnections = 10, timeoutSeconds = 15, patient: isPatient = false } = options
  const usualLimits: ConnectionLimits = {
    statementSeconds: isPatient ? 0 : timeoutSeconds,
    // PostgreSQL's own limit comes first: its error says what happened, and the connection stays usable.
    answerSeconds: Math.ceil((timeoutSeconds * 4) / 3),
    isPatient,
  }
  const config = ({ name, ...limits }: ConnectionOptions) => ({
    connectionString: hosts.all[0]?.url ?? '',
    connectMilliseconds,
    application_name: name,
    hosts,
    limits: { ...usualLimits, ...limits },
  })
  const openPool = ({ most, ...connection }: PoolOptions) => new GuardedPool({ max: most, ...config(connection) })
  const pool = openPool({ name: 'roomkeeper', most: maxConnections })
  const exports = openExports(openPool({ name: 'roomkeeper exports', most: mostExports + 1, ...noLimits }))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [columnNames] })
  return {
    db,
    pool,
    exports,
    transaction: (work) => inTransaction(db, work),
    openPool,
    async openConnection(connection) {
      const client = new GuardedClient(config(connection))
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    async close() {
      await Promise.all([db.destroy(), exports.close()])
    },
  }
}

/** The work's own error is the one that counts, also when the connection is lost and nothing can be rolled back. */
async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let failure: { error: unknown } | null = null
  try {
    return await db.transaction().execute(async (tx) => {
      try {
        return await work(tx)
      } catch (error) {
        failure = { error }
        throw error
      }
    })
  } catch (error) {
    throw (failure as { error: unknown } | null)?.error ?? error
  }
}

/** A statement written as SQL, where kysely's builder would only hide it. Its rows have camelCase keys, as kysely's. */
export async function queryRows<Row>(db: Db | Tx, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return result.rows
}
