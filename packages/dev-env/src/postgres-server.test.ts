/** The PostgreSQL that tests freeze, kill and replace. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'

let primary: PostgresServer
beforeAll(async () => {
  primary = await startPostgresServer()
})
afterAll(() => primary?.remove())

it('stands still while it is frozen, and goes on afterwards', async () => {
  await primary.rows('create table kept (n int)')
  await primary.freeze()
  const writing = primary.rows('insert into kept values (1)')
  await primary.thaw()
  await writing
  expect(await primary.rows('select n from kept')).toEqual([{ n: 1 }])
})

it('is followed by a standby that takes over with everything that was confirmed', async () => {
  const standby = await primary.addStandby({ synchronous: true })
  await primary.rows('insert into kept values (2)')
  await primary.kill()
  await expect(standby.rows('insert into kept values (3)')).rejects.toThrow('read-only')
  await standby.promote()
  await standby.rows('insert into kept values (4)')
  expect(await standby.rows('select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 4 }])
})
