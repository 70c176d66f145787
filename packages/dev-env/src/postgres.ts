/** Makes a database for each network, on one PostgreSQL that all test runs on this machine share. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import pg from 'pg'
import { type SharedResource, sharedAddress } from './shared-resource.ts'
import { testPostgresOptions } from './test-postgres.ts'

export interface NetworkDatabase {
  url: string
  /** The rows of a statement, for tests that read the database directly. */
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** The PostgreSQL of a test run. */
export interface SharedPostgres {
  url: string
  /** The name of a database of a console that has been started once, and stopped. */
  template: string | null
}

/** The environment variable with the address at which test files ask for PostgreSQL: see share-networks.ts. */
export const sharedPostgresVariable = 'ROOMKEEPER_SHARED_POSTGRES'

interface DatabaseOptions {
  /** Default: the PostgreSQL of the test run; outside of one, the PostgreSQL that all programs here share. */
  on?: SharedPostgres
  /** As after the first start of a console, where the test run has a template of it. Default: empty. */
  isPrepared?: boolean
}

export async function createNetworkDatabase({
  on,
  isPrepared = false,
}: DatabaseOptions = {}): Promise<NetworkDatabase> {
  const { address: server, release } = await postgresFor(on)
  const name = `network_${randomBytes(8).toString('hex')}`
  const template = (isPrepared ? server.template : null) ?? 'template1'
  // `file_copy` takes half the time, because it does not write each page to the WAL.
  await onServer(server.url, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => undefined)
  return {
    url: url.href,
    rows: async (text, values = []) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end()
      await onServer(server.url, `drop database ${name} with (force)`)
      await release()
    },
  }
}

async function postgresFor(given: SharedPostgres | undefined): Promise<SharedResource<SharedPostgres>> {
  const address = given ?? (await sharedAddress<SharedPostgres>(sharedPostgresVariable))
  if (address !== null) return { address, release: async () => undefined }
  const spawned = await spawnPostgres()
  return { ...spawned, address: { url: spawned.address, template: null } }
}

/** Starts PostgreSQL from a process of its own, so that it stops even if the test run is killed. */
export async function spawnPostgres(): Promise<SharedResource<string>> {
  // In the set-up of a vitest run, import.meta.resolve is missing.
  const program = createRequire(import.meta.url).resolve('@roomkeeper/embedded-postgres-server/hold')
  const options = JSON.stringify(await testPostgresOptions())
  const child = spawn(process.execPath, [program, options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolveEnded) => child.once('exit', () => resolveEnded()))
  const address = await new Promise<string>((resolveUrl, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolveUrl(chunk.toString().trim()))
    child.once('exit', () => reject(new Error('PostgreSQL for the tests did not start.')))
  })
  return {
    address,
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
