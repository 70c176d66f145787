/** Makes a database for each network, on one PostgreSQL that all test runs on this machine share. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { testPostgresOptions } from './test-postgres.ts'

export interface NetworkDatabase {
  url: string
  /** The rows of a statement, for tests that read the database directly. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

export async function createNetworkDatabase(): Promise<NetworkDatabase> {
  const holder = await holdPostgres()
  const name = `network_${randomBytes(8).toString('hex')}`
  await onServer(holder.url, `create database ${name}`)
  const url = new URL(holder.url)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => undefined)
  return {
    url: url.href,
    rows: async (text, values = []) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end()
      await onServer(holder.url, `drop database ${name} with (force)`)
      await holder.release()
    },
  }
}

/** Holds PostgreSQL in a process of its own, so that a killed test run does not leave a PostgreSQL behind. */
async function holdPostgres(): Promise<{ url: string; release(): Promise<void> }> {
  const program = fileURLToPath(import.meta.resolve('@roomkeeper/embedded-postgres-server/hold'))
  const options = JSON.stringify(await testPostgresOptions())
  const child = spawn(process.execPath, [program, options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolveEnded) => child.once('exit', () => resolveEnded()))
  const url = await new Promise<string>((resolveUrl, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolveUrl(chunk.toString().trim()))
    child.once('exit', () => reject(new Error('PostgreSQL for the tests did not start.')))
  })
  return {
    url,
    async release() {
      child.stdin.end()
      await ended
    },
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
