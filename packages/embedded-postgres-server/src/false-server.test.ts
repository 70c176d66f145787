/** Somebody else on the machine listens on PostgreSQL's port and wants to learn its password. */
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demand, demands, type FalsePostgres, startFalsePostgres } from './scram/false-postgres.ts'
import { NotOurDatabase, ScramClient } from './scram/scram-client.ts'
import { startEmbeddedPostgres } from './start.ts'

const application = { name: 'example' }
const settings = { fsync: 'off' }
let dataDir: string
let url: string
let stranger: FalsePostgres & { port: number }

beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-server-')))
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ application, dataDir, settings })
  url = postgres.url
  await postgres.stop()
  stranger = await startFalsePostgres(Number(new URL(url).port))
}, 180_000)
afterAll(async () => {
  await stranger?.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe.each(demands)('one that wants %s', (demand) => {
  it('is told neither password nor hash nor any statement by a client', async () => {
    stranger.demand(demand)
    const client = new ScramClient({ connectionString: url })
    client.on('error', () => undefined)
    await expect(client.connect().then(() => client.query('select 1'))).rejects.toBeInstanceOf(NotOurDatabase)
    expectNothingHeard(demand)
  })

  it('is not adopted at a start, which goes to another port', { timeout: 60_000 }, async () => {
    stranger.demand(demand)
    // This is what a killed postmaster leaves; no process has its id.
    const left = ['4194303', join(dataDir, 'postgres'), '0', String(stranger.port), '', '127.0.0.1', '', 'stopping']
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${left.join('\n')}\n`)
    const postgres = await startEmbeddedPostgres({ application, dataDir, settings })
    try {
      expect(stranger.connections()).toBeGreaterThan(0)
      expect(new URL(postgres.url).port).not.toBe(String(stranger.port))
      expectNothingHeard(demand)
    } finally {
      await postgres.stop()
      // Let the next start begin on the stranger's port again.
      await writeFile(join(dataDir, 'postgres.json'), `${JSON.stringify({ url })}\n`)
    }
  })
})

it('one that says nothing more in the middle of the proof is late, and no stranger', async () => {
  stranger.demand('to be silent in the middle of the proof')
  const client = new ScramClient({ connectionString: url, connectionTimeoutMillis: 500 })
  client.on('error', () => undefined)
  const error = await client.connect().catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(NotOurDatabase)
})

function expectNothingHeard(demand: Demand): void {
  expect(stranger.learned(url)).toEqual([])
  if (demand !== 'SCRAM, without knowing the password') expect(stranger.heard()).toBe('')
}
