/**
 * `npm run seed -- --rooms N [--regions N]`: adds plausible rooms to the console's database, which is that of
 * DATABASE_URL or the embedded one of DATA_DIR. If no server has prepared the database yet, starts one for a moment.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type ProcessUnderTest, startProcess } from './process-under-test.ts'
import { seedRooms } from './seed/seed-rooms.ts'

const dataDir = resolve(process.env.DATA_DIR || './data')
const wanted = readArguments()
const started = (await isPrepared()) ? null : await prepare()
try {
  await seed()
} finally {
  await started?.stop()
}

function readArguments(): { rooms: number; regions: number } {
  const { values } = parseArgs({
    options: { rooms: { type: 'string', default: '1000' }, regions: { type: 'string', default: '5' } },
  })
  const [rooms, regions] = [Number(values.rooms), Number(values.regions)]
  if (Number.isInteger(rooms) && rooms > 0 && Number.isInteger(regions) && regions > 0) return { rooms, regions }
  console.error('Usage: npm run seed -- --rooms <number> [--regions <number>]')
  process.exit(2)
}

async function seed(): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl() })
  await client.connect()
  const begun = Date.now()
  try {
    await seedRooms(client, {
      ...wanted,
      onProgress: (count) =>
        console.log(`${count} of ${wanted.rooms} rooms, ${Math.round((Date.now() - begun) / 1000)} s`),
    })
  } finally {
    await client.end()
  }
  console.log(
    "Done. These rooms are in the console's database only: no region server has them, and their regions (seed-1, …) have no address.",
  )
}

/** Whether the database answers and has the schema. */
async function isPrepared(): Promise<boolean> {
  try {
    const client = new pg.Client({ connectionString: await databaseUrl(), connectionTimeoutMillis: 5_000 })
    await client.connect()
    const found = await client.query(`select to_regclass('room_totals') is not null as prepared`)
    await client.end()
    return found.rows[0].prepared
  } catch {
    return false
  }
}

/** Starts a server with our settings. Its first start makes an administrator and prints the password once. */
async function prepare(): Promise<ProcessUnderTest<unknown>> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const settings = { ...Object.fromEntries(given), DATA_DIR: dataDir, EMBEDDED_REGIONS: '0', PORT: '0' }
  const server = await startProcess('apps/server/src/main.ts', settings)
  console.log(server.output().trim())
  return server
}

async function databaseUrl(): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  // The embedded PostgreSQL writes its URL into this file.
  const { url } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { url: string }
  return url
}
