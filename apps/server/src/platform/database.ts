/**
 * The one way into PostgreSQL: a pool, kysely over it, and transactions that also show their bare pg client
 * (DBOS enqueues with it, COPY streams through it).
 */
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction, or the database itself where one statement is enough. */
export type Tx = Transaction<Tables>

export interface Database {
  db: Db
  pool: pg.Pool
  /** Runs `work` in one transaction; rolled back when it throws. `client` is the transaction's own connection. */
  transaction<T>(work: (tx: Tx, client: pg.PoolClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const asIso = (text: string) => new Date(text).toISOString()
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, asIso)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/**
 * @param url a PostgreSQL connection URL
 * @param options.maxConnections of the pool (default 10)
 */
export function openDatabase(url: string, options: { maxConnections?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    // Lost connections of an idle pool are replaced by the next query; without a listener they end the process.
    application_name: 'roomkeeper',
  })
  pool.on('error', () => undefined)
  // The same for a connection that is lost between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    transaction: (work) => inTransaction(pool, work),
    close: () => db.destroy(),
  }
}

/** kysely hides the connection of its transactions; so the transaction is ours and kysely is laid over its client. */
async function inTransaction<T>(pool: pg.Pool, work: (tx: Tx, client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const tx = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: onlyThis(client) }) }) as unknown as Tx
    await client.query('begin')
    const result = await work(tx, client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    throw error
  } finally {
    client.release(broken)
  }
}

function onlyThis(client: pg.PoolClient): ConstructorParameters<typeof PostgresDialect>[0]['pool'] {
  const borrowed = new Proxy(client, {
    get: (target, name) => {
      if (name === 'release') return () => undefined
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { connect: async () => borrowed, end: async () => undefined } as never
}

/** A statement written as SQL, where kysely's builder would only hide it. */
export async function queryRows<Row>(db: Db | Tx, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return result.rows
}
