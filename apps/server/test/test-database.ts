/**
 * Databases for tests. All test runs on this machine share one PostgreSQL, which keeps running between them. It has one
 * template database with the schema, rebuilt when a schema file changes. Each test file gets a clone of the template,
 * which takes only a moment.
 */
import { createHash, randomBytes } from 'node:crypto'
import { startTestPostgres } from '@roomkeeper/dev-env/test-postgres'
import type { EmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import pg from 'pg'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '#platform/database.ts'
import { applySchemaChanges, readSchemaChanges } from '#platform/schema-changes.ts'

export interface TestDatabase extends Database {
  url: string
}

/** A new database with the whole schema and no rows, dropped after the last test of the file. */
export async function createTestDatabase(options: { maxConnections?: number } = {}): Promise<TestDatabase> {
  const url = await createDatabase(await ensureTemplate())
  const database = openDatabase(url, options)
  cleanups.push(() => database.close())
  return { ...database, url }
}

/** A new database without any schema. */
export async function createEmptyDatabase(): Promise<string> {
  return createDatabase('template1')
}

/** Connections to a test's database, which may be dropped or ended by force while some are idle or in use. */
export function openTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Run in reverse order after the last test of the file that imports this module. */
const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

let started: Promise<EmbeddedPostgres> | undefined

function testPostgres(): Promise<EmbeddedPostgres> {
  if (started === undefined) {
    const starting = startTestPostgres()
    started = starting
    cleanups.push(async () => (await starting).stop())
  }
  return started
}

async function createDatabase(template: string): Promise<string> {
  const { url } = await testPostgres()
  const name = `test_${randomBytes(8).toString('hex')}`
  await withClient(url, (client) => client.query(`create database ${name} template ${template}`))
  cleanups.push(() => withClient(url, (client) => client.query(`drop database ${name} with (force)`)))
  return urlOf(url, name)
}

/** An arbitrary number that all test runs share. */
const lockNumber = 7_203_412

async function ensureTemplate(): Promise<string> {
  const { url } = await testPostgres()
  const changes = await readSchemaChanges()
  const hash = createHash('sha256')
    .update(changes.map(({ checksum }) => checksum).join())
    .digest('hex')
  const name = `template_${hash.slice(0, 16)}`
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount !== 0) return
    await dropLeftovers(client)
    await client.query(`create database ${name}_unfinished`)
    const pool = openTestPool({ connectionString: urlOf(url, `${name}_unfinished`) })
    await applySchemaChanges(pool).finally(() => pool.end())
    await client.query(`alter database ${name}_unfinished rename to ${name}`)
  })
  return name
}

/** Drops the databases of killed runs and the templates of former schemas. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database
     where (datname ~ '^(test|template)_[0-9a-f]{16}$'
            and (pg_stat_file('base/' || oid || '/PG_VERSION')).modification < now() - interval '6 hours')
        or datname like '%\\_unfinished'`,
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
