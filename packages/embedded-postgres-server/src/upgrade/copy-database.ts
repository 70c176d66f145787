/**
 * Dumps the schema `public` of a database and loads it into another server, table by table through COPY, into existing
 * tables. The load is one transaction: all or nothing. Each table is read back and compared.
 */
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type Application, titleOf } from '../application.ts'
import { EmbeddedPostgresError } from '../errors.ts'
import { ScramClient } from '../scram/scram-client.ts'

export interface CopyOptions {
  application: Application
  /** URLs of the databases, with their superuser. Both must have the same tables. */
  from: string
  to: string
  /** Tables that stay empty, such as `public.sessions`. */
  leaveOut: readonly string[]
  /** Called after each table. */
  report(table: string, bytes: number): void
}

/** @throws {EmbeddedPostgresError} copy-failed */
export async function copyDatabase({ from, to, leaveOut, report, application }: CopyOptions): Promise<void> {
  const source = await connect(from)
  const target = await connect(to)
  try {
    const tables = await tablesOf(source)
    if (JSON.stringify(tables) !== JSON.stringify(await tablesOf(target))) {
      const message = `The tables of the old data are not those of this version of ${titleOf(application)}.`
      throw new EmbeddedPostgresError('copy-failed', message)
    }
    await source.query('begin isolation level repeatable read read only')
    await target.query('begin')
    // Run neither triggers nor foreign keys: the data already includes their effects.
    await target.query('set local session_replication_role = replica')
    await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
    for (const table of tables) {
      if (!leaveOut.includes(table.name)) report(table.name, await copyTable(source, target, table))
    }
    await copySequences(source, target)
    await target.query('commit')
    await target.query('analyze')
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new ScramClient({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  // These settings make rows come in their physical order, and values in forms that every version reads alike.
  await client.query(`set synchronize_seqscans = off; set timezone = 'UTC'; set datestyle = 'ISO'`)
  return client
}

interface Table {
  /** With its schema, quoted if necessary. */
  name: string
  /** Without generated columns. */
  columns: string
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            (select string_agg(quote_ident(a.attname), ', ' order by a.attname) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = 'public'
      order by 1`,
  )
  return rows
}

/** @returns the number of bytes */
async function copyTable(source: pg.Client, target: pg.Client, { name, columns }: Table): Promise<number> {
  const hash = createHash('sha256')
  let bytes = 0
  const rows = source.query(copyTo(`copy ${name} (${columns}) to stdout`))
  const hashed = async function* (content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await pipeline(rows, hashed, target.query(copyFrom(`copy ${name} (${columns}) from stdin`)))
  const written = createHash('sha256')
  const back = target.query(copyTo(`copy ${name} (${columns}) to stdout`))
  await pipeline(
    back,
    nowhere((chunk) => written.update(chunk)),
  )
  if (written.digest('hex') !== hash.digest('hex'))
    throw new EmbeddedPostgresError('copy-failed', `The table ${name} was not the same after it had been copied.`)
  return bytes
}

function nowhere(look: (chunk: Buffer) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      look(chunk)
      done()
    },
  })
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  for (const { name, last } of rows) await target.query('select setval($1::regclass, $2::bigint)', [name, last])
}
