/**
 * Programs that people run by hand read everything, so no statement of theirs counts as taking too long. The tests run
 * at the same time, because they only wait.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createNetworkDatabase, type NetworkDatabase, repository, startFaultProxy, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, queryRows } from '#platform/database.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-patient-'))
})
afterAll(() => rm(dir, { recursive: true }))

it.concurrent.each([
  ['secrets:rotate', 'apps/server/src/rotate-secrets.ts', 'regions'],
  ['audit:verify', 'apps/server/src/app/verify-audit.ts', 'audit'],
  ['doctor', 'apps/server/src/app/doctor.ts', 'rooms'],
])('a statement of %s may take longer than those of the API', async (_, program, table) => {
  // The database has no server, so no other process waits for the locked table.
  const database = await createNetworkDatabase({ isPrepared: true })
  const blocking = new pg.Client({ connectionString: database.url })
  await blocking.connect()
  await blocking.query(`begin; lock table ${table} in access exclusive mode`)
  const running = run(program, database)
  await until(
    'it has waited for longer than a statement of the API may take',
    async () => running.child.exitCode !== null || (await waitsFor(database, 3)),
    60,
  )
  await blocking.query('rollback')
  await blocking.end()
  expect({ code: await running.code, printed: running.printed() }).toMatchObject({ code: 0 })
  await database.drop()
})

it.concurrent('such a program gives up when the database does not answer anybody any more', async () => {
  const own = await createNetworkDatabase()
  const url = new URL(own.url)
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `${proxy.host}:${proxy.port}`
  const database = openDatabase(url.href, { timeoutSeconds: 1, patient: true })
  await expect(queryRows(database.db, 'select pg_sleep(4)')).resolves.toHaveLength(1)
  const asked = queryRows(database.db, 'select pg_sleep(600)')
  await proxy.set({ blackHole: 'everything' })
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await proxy.close()
  await database.close()
  await own.drop()
})

interface RunningProgram {
  child: ChildProcess
  code: Promise<number | null>
  printed(): string
}

/** Runs a program with the shortest time limit that the API accepts. */
function run(program: string, { url }: NetworkDatabase): RunningProgram {
  const child = spawn(process.execPath, [resolve(repository, program)], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: url,
      DATA_DIR: dir,
      SECRET_KEY: 'a secret key for tests only',
      SECRET_KEY_OLD: 'a key that was never used',
      EMBEDDED_REGIONS: '0',
      DATABASE_TIMEOUT_SECONDS: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(String(chunk)))
  const code = new Promise<number | null>((ended) => child.once('exit', ended))
  return { child, code, printed: () => printed.join('') }
}

async function waitsFor({ rows }: NetworkDatabase, seconds: number): Promise<boolean> {
  const waiting = await rows(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and now() - query_start > make_interval(secs => $1)`,
    [seconds],
  )
  return waiting.length > 0
}
