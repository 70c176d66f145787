/** `npm run postgres:upgrade` takes over the data of an older PostgreSQL. Runs only if PostgreSQL 15 is installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import {
  binariesIn,
  createCluster,
  ensurePostmaster,
  openConnection,
  ownerOf,
  stopPostmaster,
  urlOf,
} from '@roomkeeper/embedded-postgres-server/low-level'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { applySchemaChanges } from '#platform/schema-changes.ts'

const old = '/usr/lib/postgresql/15/bin'
const log = { info: () => undefined, warn: () => undefined }
const settings = { fsync: 'off' }
const strange = 'tab\there, newline\nthere, a \\N and a \\\\, ØÜ'

describe.skipIf(!existsSync(join(old, 'postgres')))('data of PostgreSQL 15', () => {
  it('is not started, is taken over whole, and is kept', { timeout: 180_000 }, async () => {
    const dataDir = await makeOldData()
    await expect(startEmbeddedPostgres({ dataDir, log, settings })).rejects.toThrow('npm run postgres:upgrade')

    const wrong = upgrade(dataDir, join(dataDir, 'postgres'))
    expect(wrong).toMatchObject({ status: 1, output: expect.stringContaining('There is no program postgres') })
    // What an upgrade leaves behind if it dies between its last three steps, before the old data has its new name.
    await mkdir(join(dataDir, 'postgres.upgraded', 'base'), { recursive: true })
    const done = upgrade(dataDir, old)
    expect(done.output).toContain('The data of PostgreSQL 15 is taken over into PostgreSQL 18.')
    expect(done.status).toBe(0)

    const started = await startEmbeddedPostgres({ dataDir, log, settings })
    try {
      const entries = 'select detail, id::int from audit order by id'
      expect(await rows(started.url, entries)).toEqual([
        { detail: strange, id: 1 },
        { detail: null, id: 41 },
      ])
      await rows(started.url, `insert into audit (actor, action, detail) values ('a', 'x', 'behind')`)
      expect((await rows(started.url, entries)).at(-1)).toEqual({ detail: 'behind', id: 42 })
      expect(await rows(started.url, `select count(*)::int as n from operators`)).toEqual([{ n: 1 }])
      expect(await rows(started.url, `select count(*)::int as n from events`)).toEqual([{ n: 0 }])
    } finally {
      await started.stop()
    }
    expect((await readFile(join(dataDir, 'postgres.before-upgrade-from-15', 'PG_VERSION'), 'utf8')).trim()).toBe('15')
    expect((await readdir(dataDir)).filter((name) => /upgrading|upgraded|source/.test(name))).toEqual([])
    expect(upgrade(dataDir, old)).toMatchObject({
      status: 1,
      output: expect.stringContaining('nothing has to be done'),
    })

    // The state that an upgrade leaves behind if it dies between its last two steps.
    await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
    const again = await startEmbeddedPostgres({ dataDir, log, settings })
    expect(await rows(again.url, 'select count(*)::int as n from audit')).toEqual([{ n: 3 }])
    await again.stop()
  })
})

const parent = await realpath(await mkdtemp(join(tmpdir(), 'roomkeeper-upgrade-')))
await chmod(parent, 0o755)
afterAll(() => rm(parent, { recursive: true, force: true }))

/** Creates data as a Roomkeeper release with PostgreSQL 15 would have; that version has no builtin locales. */
async function makeOldData(): Promise<string> {
  const binaries = binariesIn(old)
  const dataDir = await mkdtemp(join(parent, 'data-'))
  await chmod(dataDir, 0o755)
  const initdb = join(dataDir, 'initdb')
  const words = `#!/bin/sh\nfor a do case "$a" in --locale-provider*|--builtin*) ;; *) set -- "$@" "$a";; esac; shift; done\nexec ${binaries.initdb} "$@"\n`
  await writeFile(initdb, words, { mode: 0o755 })
  const folder = await createCluster(dataDir, { ...binaries, initdb }, settings)
  const identity = await ownerOf(folder)
  const connection = await openConnection(dataDir)
  const cluster = { folder, dataDir, binaries, identity, connection }
  await ensurePostmaster(cluster, { log, settings, mayChangePort: true })
  await rows(urlOf(connection, 'postgres'), 'create database roomkeeper')
  const url = urlOf(connection)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await applySchemaChanges(pool).finally(() => pool.end())
  await rows(
    url,
    `insert into audit (actor, action, detail) values ('a', 'x', ${pg.escapeLiteral(strange)});
     select setval(pg_get_serial_sequence('audit', 'id'), 40);
     insert into audit (actor, action) values ('a', 'x');
     insert into operators (email, name, role, password_hash) values ('a@b.example', 'A', 'CLOUD_ADMINISTRATOR', 'x');
     insert into events (payload) values ('{"type":"maintenance"}')`,
  )
  await stopPostmaster(cluster, log)
  return dataDir
}

/** Runs the program behind `npm run postgres:upgrade`. */
function upgrade(dataDir: string, from: string): { status: number | null; output: string } {
  const program = join(import.meta.dirname, '../src/upgrade-postgres.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--from', from], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

async function rows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: found } = await client.query<Record<string, unknown>>(text)
    return found ?? []
  } finally {
    await client.end()
  }
}
