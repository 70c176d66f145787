/** Somebody else on the machine listens where the embedded PostgreSQL listened, and wants to know its password. */
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Demand, type FalsePostgres, startFalsePostgres } from '../../../test/false-postgres.ts'
import { openDatabase } from '../database.ts'
import { databaseIsSilent, databaseIsUnreachable, violatesForeignKey } from '../database-errors.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

const quiet = { info: () => undefined, warn: () => undefined }
const settings = { fsync: 'off' }
let dataDir: string
let url: string
let stranger: FalsePostgres & { port: number }

beforeAll(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'roomkeeper-postgres-')))
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
  url = postgres.url
  await postgres.stop()
  stranger = await startFalsePostgres(Number(new URL(url).port))
}, 180_000)
afterAll(async () => {
  await stranger?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const demands = [
  'the password in clear',
  'an MD5 hash',
  'nothing',
  'nothing at all',
  'SCRAM, without knowing the password',
  'to be read for ever, by an error without its end',
  'to be read for ever, by a message without its end',
  'to be a way of asking that nobody knows',
  'to be believed that a table is missing',
  'to be believed that a row is gone',
  'to be believed that no answer came',
] as const satisfies Demand[]

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

  it('is not adopted at a start, which goes to another port', { timeout: 60_000 }, async () => {
    stranger.demand(demand)
    // As a postmaster that was killed left it, whose number nobody has.
    const left = ['4194303', join(dataDir, 'postgres'), '0', String(stranger.port), '', '127.0.0.1', '', 'stopping']
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${left.join('\n')}\n`)
    const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
    try {
      expect(stranger.connections()).toBeGreaterThan(0)
      expect(new URL(postgres.url).port).not.toBe(String(stranger.port))
      expectNothingHeard(demand)
    } finally {
      await postgres.stop()
      // The next start begins where the stranger listens.
      await writeFile(join(dataDir, 'postgres.json'), `${JSON.stringify({ url })}\n`)
    }
  })
})

function expectNothingHeard(demand: Demand): void {
  const heard = stranger.heard()
  const { username, password } = new URL(url)
  const md5 = createHash('md5')
    .update(password + username)
    .digest('hex')
  expect(heard).not.toContain(password)
  expect(heard).not.toContain(md5)
  expect(heard).not.toContain('select')
  if (demand !== 'SCRAM, without knowing the password') expect(heard).toBe('')
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
    const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
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
