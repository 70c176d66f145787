/** However a database connection ends, everything that waits for it fails with an error of the matching class. */
import { type FaultProxy, startFaultProxy, until } from '@roomkeeper/dev-env'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConnectionLost, NoAnswer } from '#platform/database/guarded-client.ts'
import { NoFreeConnection } from '#platform/database/guarded-pool.ts'
import { type Database, openDatabase, queryRows } from '#platform/database.ts'
import { databaseIsSilent, databaseIsUnreachable, waitedForOthers } from '#platform/database-errors.ts'
import { createEmptyDatabase } from './test-database.ts'

let proxy: FaultProxy
let database: Database
let observer: Database
beforeAll(async () => {
  const url = new URL(await createEmptyDatabase())
  observer = openDatabase(url.href, { maxConnections: 1 })
  proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `${proxy.host}:${proxy.port}`
  database = openDatabase(url.href, { maxConnections: 2 })
})
afterAll(async () => {
  await proxy?.set({})
  await database?.close()
  await observer?.close()
  await proxy?.close()
})

const asItIs = (error: unknown) => error
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => {
    throw new Error('It did not fail.')
  }, asItIs)

const sleepers = () =>
  queryRows<{ pid: number }>(observer.db, `select pid from pg_stat_activity where query = 'select pg_sleep(60)'`)

async function asleep(client: pg.Client | pg.Pool): Promise<{ failure: Promise<unknown> }> {
  const failure = failureOf(client.query('select pg_sleep(60)'))
  await until('the statement runs', async () => (await sleepers()).length === 1)
  return { failure }
}

it('a statement under way when its connection ends, without a word of the server, fails as lost', async () => {
  const client = await database.openConnection({ name: 'test' })
  const { failure } = await asleep(client)
  client.connection.stream.destroy()
  const error = await failure
  expect(error).toBeInstanceOf(ConnectionLost)
  expect([databaseIsUnreachable(error), databaseIsSilent(error)]).toEqual([true, false])
  const [{ pid } = { pid: 0 }] = await sleepers()
  await queryRows(observer.db, 'select pg_terminate_backend($1)', [pid])
  await until('it is over', async () => (await sleepers()).length === 0)
})

it('one that the server ends, or a broken network, is an outage too', async () => {
  const { failure } = await asleep(database.pool)
  const [{ pid } = { pid: 0 }] = await sleepers()
  await queryRows(observer.db, 'select pg_terminate_backend($1)', [pid])
  expect(await failure).toMatchObject({ code: '57P01' })
  expect(databaseIsUnreachable(await failure)).toBe(true)
  await proxy.set({ reset: true })
  const error = await failureOf(database.pool.query('select 1'))
  expect(databaseIsUnreachable(error)).toBe(true)
  await proxy.set({})
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('a connection that is gone or was given back to the server takes no statement any more, in any form', async () => {
  const gone = await database.openConnection({ name: 'test' })
  gone.connection.stream.destroy()
  await new Promise((resolve) => gone.once('end', resolve))
  const left = await database.openConnection({ name: 'test' })
  await left.end()
  for (const client of [gone, left]) {
    expect(await failureOf(client.query('select 1'))).toBeInstanceOf(ConnectionLost)
    const told = new Promise((resolve) => client.query('select 1', (error: unknown) => resolve(error)))
    expect(await told).toBeInstanceOf(ConnectionLost)
  }
})

it('a call that finds every connection in use is told that the database does not answer; nobody keeps one for it', async () => {
  const taken = [await database.pool.connect(), await database.pool.connect()]
  const error = await failureOf(database.pool.connect())
  expect(error).toBeInstanceOf(NoAnswer)
  expect([databaseIsUnreachable(error), databaseIsSilent(error)]).toEqual([true, true])
  for (const client of taken) client.release()
  const again = await Promise.all([database.pool.connect(), database.pool.connect()])
  for (const client of again) client.release()
  expect(database.pool.waitingCount).toBe(0)
})

it('a call waits longer while others give their connections back, and is told in the end that they had all', async () => {
  const pool = database.openPool({ name: 'test of waiting', most: 1 })
  // Each has the only connection for 1.2 s: the eighth waits for more than 8 s, the last for more than 15.
  const calls = Array.from({ length: 16 }, () => pool.query('select pg_sleep(1.2)').then(() => 'answered', asItIs))
  const ends = await Promise.all(calls)
  await pool.end()
  expect(ends.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'answered'))
  const last = ends.at(-1)
  expect(last).toBeInstanceOf(NoFreeConnection)
  expect([waitedForOthers(last), databaseIsUnreachable(last)]).toEqual([true, true])
})

it('a caller that has given up is out of the queue, while the connections are still in use', async () => {
  const taken = [await database.pool.connect(), await database.pool.connect()]
  const errors = await Promise.all([1, 2, 3].map(() => failureOf(database.pool.connect())))
  for (const error of errors) expect(error).toBeInstanceOf(NoAnswer)
  await until('nobody waits any more', async () => database.pool.waitingCount === 0)
  for (const client of taken) client.release()
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('a server that does not even greet is given up', async () => {
  await proxy.set({ blackHole: 'everything' })
  const error = await failureOf(database.openConnection({ name: 'test' }))
  await proxy.set({})
  expect(error).toBeInstanceOf(NoAnswer)
})

it('a statement after the server has ended the connection between two of them fails as lost', async () => {
  const client = await database.openConnection({ name: 'test' })
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise<Error>((resolve) => client.once('error', resolve))
  await queryRows(observer.db, 'select pg_terminate_backend($1)', [rows[0]?.pid])
  // Sent immediately, before the connection itself has ended.
  const failure = await ended.then(() => failureOf(client.query('select 1')))
  expect(failure).toBeInstanceOf(ConnectionLost)
  expect(databaseIsUnreachable(failure)).toBe(true)
})
