/** Another user of the machine listens at the address of the embedded PostgreSQL, to learn its password. */
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import {
  type Demand,
  demands,
  type FalsePostgres,
  startFalsePostgres,
} from '@roomkeeper/embedded-postgres-server/false-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../database.ts'
import { databaseIsSilent, databaseIsUnreachable, violatesForeignKey } from '../database-errors.ts'
import { ConnectionLost } from './guarded-client.ts'

const application = { name: 'roomkeeper' }
const settings = { fsync: 'off' }
let dataDir: string
let url: string
let stranger: FalsePostgres & { port: number }

beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'roomkeeper-postgres-')))
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
  it('is told neither password nor hash nor any statement, and the error says what is wrong', async () => {
    stranger.demand(demand)
    const database = openDatabase(url)
    const error = await database.pool.query(`select 'a statement'`).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toMatch(
      /^What answers as the database at 127\.0\.0\.1:\d+ .+: nothing was told to it\.$/,
    )
    expect(databaseIsUnreachable(error)).toBe(true)
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    expect({ silent: databaseIsSilent(error), gone: violatesForeignKey(error) }).toEqual({ silent: false, gone: false })
    await database.close()
    expectNothingHeard(demand)
  })
})

it('a connection that is cut in the middle of the proof is lost, and says nothing about who was there', async () => {
  stranger.demand('to be cut off in the middle of the proof')
  const database = openDatabase(url)
  const error = await database.pool.query('select 1').catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ConnectionLost)
  expect(databaseIsUnreachable(error)).toBe(true)
  await database.close()
})

function expectNothingHeard(demand: Demand): void {
  expect(stranger.learned(url)).toEqual([])
  if (demand !== 'SCRAM, without knowing the password') expect(stranger.heard()).toBe('')
}

it('an external database may ask as its operator has set it up, or SCRAM can be required of it', async () => {
  const external = new URL(url)
  external.search = ''
  stranger.demand('the password in clear')
  const lax = openDatabase(external.href)
  stranger.demand('nothing')
  await lax.pool.query('select 1').catch(() => undefined)
  expect(stranger.heard()).not.toBe('')
  await lax.close()
  external.searchParams.set('require_auth', 'scram-sha-256')
  stranger.demand('the password in clear')
  const strict = openDatabase(external.href)
  await expect(strict.pool.query('select 1')).rejects.toThrow('nothing was told to it')
  expect(stranger.heard()).toBe('')
  await strict.close()
  external.searchParams.set('require_auth', 'md5')
  expect(() => openDatabase(external.href)).toThrow('require_auth takes scram-sha-256')
})

describe('what is said before the proof', () => {
  it('is told, cleaned, and means no more than that the database is away', async () => {
    stranger.demand('to be believed that a row is gone')
    const database = openDatabase(url)
    const error = await database.pool.query('select 1').catch((failure: unknown) => failure)
    expect((error as Error).message).toContain('says “no such row  [2J” before it has proven itself')
    expect(error).not.toHaveProperty('constraint')
    await database.close()
  })

  it('keeps its code where an external database need prove nothing', async () => {
    const external = new URL(url)
    external.search = ''
    stranger.demand('to be believed that a table is missing')
    const database = openDatabase(external.href)
    const error = await database.pool.query('select 1').catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: '42P01', message: 'relation "rooms" does not exist' })
    expect(databaseIsUnreachable(error)).toBe(false)
    await database.close()
  })

  it('is the text of a wrong password, and what the real one says afterwards keeps its code', async () => {
    const postgres = await startEmbeddedPostgres({ application, dataDir, settings })
    try {
      const failureAt = async (change: (there: URL) => void) => {
        const there = new URL(postgres.url)
        change(there)
        const database = openDatabase(there.href)
        const error = await database.pool.query('select 1').catch((failure: unknown) => failure)
        await database.close()
        return error
      }
      const wrong = await failureAt((there) => {
        there.password = 'wrong'
      })
      expect(wrong).toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining('password authentication') })
      const missing = await failureAt((there) => {
        there.pathname = '/nowhere'
      })
      expect(missing).toMatchObject({ code: '3D000' })
      expect(databaseIsUnreachable(missing)).toBe(false)
    } finally {
      await postgres.stop()
    }
  })
})
