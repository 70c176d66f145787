/**
 * The only access to PostgreSQL: a pool, and on top of it kysely, for transactions and for text that is composed. Every connection is guarded
 * (database/guarded-client.ts): none hangs for ever, and each goes to the host that takes writes.
 */
import { CompiledQuery, Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { rowsOf } from './column-names.ts'
import { databaseHosts } from './database/database-hosts.ts'
import { type ConnectionLimits, GuardedClient } from './database/guarded-client.ts'
import { GuardedPool } from './database/guarded-pool.ts'
import { isoTimeOf } from './database/iso-time.ts'
import { type Exports, maxExports, openExports } from './exports.ts'
import { prepared } from './prepared-statements.ts'

export type Db = Kysely<unknown>
/** A transaction, or the database itself where one statement is enough. */
export type Tx = Transaction<unknown>

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction, which is rolled back if it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  exports: Exports
  /** Opens another pool on the same database. The caller closes it. */
  openPool(options: PoolOptions): pg.Pool
  /**
   * Opens a connection outside all pools, for work that must not wait for a free connection. When it is lost, running
   * statements fail and 'end' fires; it does not reconnect by itself.
   */
  openConnection(options: ConnectionOptions): Promise<pg.Client>
  close(): Promise<void>
}

export interface ConnectionOptions extends Partial<ConnectionLimits> {
  /** Shown in pg_stat_activity. */
  name: string
}

export interface PoolOptions extends ConnectionOptions {
  most: number
}

export interface DatabaseOptions {
  /** The size of the pool; default 10. */
  maxConnections?: number
  /** The time after which a statement is ended; default 15. Longer work (COPY, schema changes) sets its own limits. */
  timeoutSeconds?: number
  /** For programs that read everything: no statement is ended for its length, but a lost host is still noticed. */
  patient?: boolean
}

export const noLimits: ConnectionLimits = { statementSeconds: 0, answerSeconds: 0 }
const connectMilliseconds = 5_000

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTimeOf)
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
    // Longer than PostgreSQL's own limit, whose error says what happened and leaves the connection usable.
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
  const exports = openExports(openPool({ name: 'roomkeeper exports', most: maxExports + 1, ...noLimits }))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
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

const worksAfterCommit = new WeakMap<Tx, (() => void)[]>()

/**
 * Runs `work` after the transaction has committed; never if the commit failed or its outcome is unknown.
 * @param work throws nothing, because the caller of the transaction would take that for a failed commit
 */
export function afterCommit(tx: Tx, work: () => void): void {
  const works = worksAfterCommit.get(tx)
  if (works === undefined) throw new Error('This is not a transaction of Database.transaction.')
  works.push(work)
}

async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const works: (() => void)[] = []
  const result = await committed(db, async (tx) => {
    worksAfterCommit.set(tx, works)
    return await work(tx)
  })
  for (const each of works) each()
  return result
}

/** Throws the error of `work` itself, even if the connection is lost and the rollback fails too. */
async function committed<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
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

/**
 * Runs SQL whose text the source has. Each connection prepares it, and app/statements.test.ts compares `Row` and the
 * types of the values with the schema. The rows have camelCase keys.
 */
export async function queryRows<Row>(db: Db | Tx, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return queryComposed(db, prepared(text), values)
}

/** Runs SQL whose text depends on what is asked for. It is neither prepared nor compared with the schema. */
export async function queryComposed<Row>(db: Db | Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, [...values]))
  return rowsOf(rows) as Row[]
}

/** The same for text that is composed with kysely's `sql`. */
export async function queryBuilt<Row>(db: Db | Tx, built: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await built.execute(db)
  return rowsOf(rows as object[]) as Row[]
}
