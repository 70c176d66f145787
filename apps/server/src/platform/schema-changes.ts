/**
 * Applies schema changes: the numbered files of apps/server/schema, forward only, each once and in order, in its own
 * transaction that also records it. An advisory lock makes processes that start at the same time take turns.
 *
 * A file is changed in place until it is released: a database with another state of it is refused. Until 1.0.0, that is
 * the first file, and the only one. Afterwards, a change of the schema is a new file.
 *
 * A file whose first line is `-- without a transaction` is for what PostgreSQL does in none, such as an index that is
 * built while others write: its statements run one by one. A process that dies among them leaves the file to be run
 * again from its beginning, so each of its statements must allow that.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { lockConnection, unlockConnection } from './advisory-locks.ts'
import { lockTimedOut, wasDeadlocked } from './database-errors.ts'
import { pause } from './pause.ts'

export const schemaFolder = fileURLToPath(new URL('../../schema/', import.meta.url))

/** The database does not fit this version; the message is one line for the person who started the program. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

export interface SchemaChange {
  number: number
  /** The name of its file, such as `001-schema.sql`. */
  name: string
  sql: string
  /** SHA-256 of the text in hexadecimal, independent of the line ends with which the file was checked out. */
  checksum: string
}

/**
 * Brings the schema to the state that this version needs.
 * @returns the names of the files that were applied now
 * @throws {SchemaMismatch} when the database is newer than this version, or has another state of one of its files
 */
export async function applySchemaChanges(pool: pg.Pool, folder: string = schemaFolder): Promise<string[]> {
  const changes = await readSchemaChanges(folder)
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await lockConnection(client, 'schema changes')
    await client.query(recordTable)
    const open = await openChanges(client, changes)
    for (const change of open) await applyChange(client, change)
    await unlockConnection(client, 'schema changes')
    return open.map(({ name }) => name)
  } catch (error) {
    // Releasing the connection with an error closes it, which frees the lock.
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/** In order of their numbers. Gaps are allowed, so that people who work in parallel can agree on numbers. */
export async function readSchemaChanges(folder: string = schemaFolder): Promise<SchemaChange[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{3}-.+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(name.slice(0, 3))
      if (number === Number(names[index - 1]?.slice(0, 3)))
        throw new Error(`Two schema changes have the number of ${name}.`)
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

const recordTable = `
  create table if not exists schema_changes (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`

async function openChanges(client: pg.PoolClient, changes: SchemaChange[]): Promise<SchemaChange[]> {
  const { rows: applied } = await client.query<Omit<SchemaChange, 'sql'>>(
    'select number, name, checksum from schema_changes order by number',
  )
  for (const { number, name, checksum } of applied) {
    const change = changes.find((each) => each.number === number)
    if (change === undefined) {
      throw new SchemaMismatch(
        `The database is newer than this version of Roomkeeper (it has the schema change ${name}): start the newer version.`,
      )
    }
    if (change.checksum !== checksum) {
      throw new SchemaMismatch(
        `The database was made by another, unreleased state of Roomkeeper, from which there is no upgrade (its schema change ${name} is ${checksum.slice(0, 8)}, that of this version ${change.checksum.slice(0, 8)}): nothing was changed; start the state that made it or, to give up its data, this one with an empty DATA_DIR and, where DATABASE_URL is set, an empty database.`,
      )
    }
  }
  const appliedNumbers = new Set(applied.map(({ number }) => number))
  return changes.filter(({ number }) => !appliedNumbers.has(number))
}

/**
 * A transaction that waits for a table's lock blocks all that ask for the table after it. So a change that does not get
 * its locks soon gives way and is retried, as is a change that a deadlock ended.
 */
async function applyChange(client: pg.PoolClient, change: SchemaChange): Promise<void> {
  for (;;) {
    try {
      return await tryChange(client, change)
    } catch (error) {
      if (!(lockTimedOut(error) || wasDeadlocked(error)))
        throw new Error(`The schema change ${change.name} failed.`, { cause: error })
      await client.query('rollback')
      await pause(lockPauseMilliseconds)
    }
  }
}

const lockSeconds = 2
const lockPauseMilliseconds = 1000

async function tryChange(client: pg.PoolClient, change: SchemaChange): Promise<void> {
  if (change.sql.startsWith(withoutTransaction)) {
    // No time limit applies: such a statement waits for earlier transactions, and blocks none.
    for (const statement of change.sql.split(/;\n/)) if (statement.trim() !== '') await client.query(statement)
    return recordChange(client, change)
  }
  await client.query('begin')
  await client.query(`set local lock_timeout = '${lockSeconds}s'`)
  await client.query(change.sql)
  await recordChange(client, change)
  await client.query('commit')
}

const withoutTransaction = '-- without a transaction\n'

async function recordChange(client: pg.PoolClient, { number, name, checksum }: SchemaChange): Promise<void> {
  await client.query('insert into schema_changes (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
}
