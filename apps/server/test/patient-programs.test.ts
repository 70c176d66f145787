/**
 * Programs that people run by hand read everything, so no statement of theirs counts as taking too long. The tests run
 * at the same time, because they only wait.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { bootNetwork, type Network, repository, startFaultProxy, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, queryRows } from '#platform/database.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
  // Nobody else should wait for a table.
  await network.server.stop()
})
afterAll(() => network?.stop())

it.concurrent.each([
  ['secrets:rotate', 'apps/server/src/rotate-secrets.ts', 'regions'],
  ['audit:verify', 'apps/server/src/app/verify-audit.ts', 'audit'],
  ['doctor', 'apps/server/src/app/doctor.ts', 'rooms'],
])('a statement of %s may take longer than those of the API', async (_, program, table) => {
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await blocking.query(`begin; lock table ${table} in access exclusive mode`)
  const running = run(program)
  await until(
    'it has waited for longer than a statement of the API may take',
    async () => running.child.exitCode !== null || (await waitsFor(table, 3)),
    60,
  )
  await blocking.query('rollback')
  await blocking.end()
  expect({ code: await running.code, printed: running.printed() }).toMatchObject({ code: 0 })
})

it.concurrent('such a program gives up when the database does not answer anybody any more', async () => {
  const url = new URL(network.database.url)
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `${proxy.host}:${proxy.port}`
  const database = openDatabase(url.href, { timeoutSeconds: 1, patient: true })
  await expect(queryRows(database.db, 'select pg_sleep(4)')).resolves.toHaveLength(1)
  const asked = queryRows(database.db, 'select pg_sleep(600)')
  await proxy.set({ blackHole: 'everything' })
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await proxy.close()
  await database.close()
})

/** Runs a program with the shortest time limit that the API accepts. */
function run(program: string): { child: ChildProcess; code: Promise<number | null>; printed(): string } {
  const child = spawn(process.execPath, [resolve(repository, program)], {
    env: {
      ...network.settings,
      PATH: process.env.PATH ?? '',
      SECRET_KEY_OLD: 'a key that was never used',
      DATABASE_TIMEOUT_SECONDS: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(String(chunk)))
  const code = new Promise<number | null>((ended) => child.once('exit', ended))
  return { child, code, printed: () => printed.join('') }
}

async function waitsFor(table: string, seconds: number): Promise<boolean> {
  const waiting = await network.database.rows(
    `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and l.relation = $1::regclass and not l.granted
        and now() - a.query_start > make_interval(secs => $2)`,
    [table, seconds],
  )
  return waiting.length > 0
}
