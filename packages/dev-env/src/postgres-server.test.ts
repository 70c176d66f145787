/** The PostgreSQL server that tests freeze, kill and replace. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { until } from './until.ts'

let primary: PostgresServer
beforeAll(async () => {
  primary = await startPostgresServer()
})
afterAll(() => primary?.remove())

it('stands still while it is frozen, and goes on afterwards', async () => {
  await primary.rows('create table kept (n int)')
  const [backend] = await primary.rows<{ parent: string; others: number[] }>(
    `select pg_read_file('postmaster.pid') as parent, array_agg(pid) as others from pg_stat_activity where pid <> pg_backend_pid()`,
  )
  const pids = [Number.parseInt(backend?.parent ?? '', 10), ...(backend?.others ?? [])]
  expect(pids.length).toBeGreaterThan(3)
  await primary.freeze()
  const writing = primary.rows('insert into kept values (1)')
  const areStopped = async () => (await Promise.all(pids.map(stateOf))).every((state) => state === 'T')
  await until('all its processes stand still', areStopped).finally(() => primary.thaw())
  await writing
  expect(await areStopped()).toBe(false)
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

/** The kernel's state of a process; `T` means stopped. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).charAt(0)
}
