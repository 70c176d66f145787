/** Starting for the first time, twice at once, after a crash, and with wrong settings. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  administrator,
  createNetworkDatabase,
  freePort,
  repository,
  roomDraft,
  signIn,
  startProcess,
  startServer,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSchemaChanges } from '#platform/schema-changes.ts'

const [schema] = await readSchemaChanges()
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-start-'))
  // For root, PostgreSQL runs as another user. If that user could not enter the folder, the data would lie elsewhere.
  await chmod(dir, 0o755)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('the first start without any setting', () => {
  const program = 'apps/server/src/main.ts'
  const env = () => ({ DATA_DIR: join(dir, 'first'), PORT: '0', LOG_LEVEL: 'warn', WORKER_LEASE_SECONDS: '3' })

  // shows: C-regions, settings-first-start
  it('brings its own PostgreSQL and two regions, prints a password once, and survives kill -9', async () => {
    const first = await startProcess<{ address: string }>(program, env())
    await until('it has printed', async () => first.output().includes('Password'))
    const password = /Password \(shown only now\): (\S+)/.exec(first.output())?.[1] ?? ''
    expect(password.length).toBeGreaterThanOrEqual(20)
    const client = await signIn(() => first.ready.address, { email: 'admin@localhost', password })
    const { body: regions } = await client.call('regions', {})
    expect(regions.map((each) => each.regionName)).toEqual(['local-1', 'local-2'])
    const body = roomDraft()
    await client.call('createRoom', { body })
    first.child.kill('SIGKILL')
    await first.ended

    const second = await startProcess<{ address: string }>(program, {
      ...env(),
      PUBLIC_URL: 'https://console.example/',
    })
    expect(second.output()).not.toContain('Password')
    await until('it says where', async () => second.output().includes('at https://console.example/project\n'))
    const again = await signIn(() => second.ready.address, { email: 'admin@localhost', password })
    await until('the room that was being created is active', async () => {
      const { body: room } = await again.call('room', { query: { projectRoom: body.tenantName } })
      return room.projectRoomState === 'DEFAULT'
    })
    await second.stop()
  })

  it('tells the password also when something else keeps it from starting', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const own = { ...env(), DATA_DIR: join(dir, 'port-taken') }
    const { port } = other.address() as AddressInfo
    const failure = await startProcess(program, { ...own, PORT: String(port) }).catch(String)
    other.close()
    const password = /Password \(shown only now\): (\S+)/.exec(String(failure))?.[1] ?? ''
    const server = await startProcess<{ address: string }>(program, own)
    expect(server.output()).not.toContain('Password')
    await signIn(() => server.ready.address, { email: 'admin@localhost', password })
    await server.stop()
  })

  it('goes on by itself when PostgreSQL is killed in the middle of ten creations', async () => {
    const dataDir = join(dir, 'database-killed')
    const server = await startServer({ DATA_DIR: dataDir })
    const client = await signIn(() => server.address, administrator)
    const drafts = Array.from({ length: 10 }, () => roomDraft())
    await Promise.all(drafts.map((body) => client.call('createRoom', { body })))
    const postmaster = async () =>
      Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
    const killed = await postmaster()
    expect((await client.call('runningOperations', {})).body).not.toEqual([])
    process.kill(killed, 'SIGKILL')
    await until(
      'all rooms are active',
      async () => {
        const list = await client.call('listRooms', {}).catch(() => null)
        return list?.body.data.filter((room) => room.projectRoomState === 'DEFAULT').length === drafts.length
      },
      90,
    )
    expect(server.child.exitCode).toBeNull()
    expect(await postmaster()).not.toBe(killed)
    await server.stop()
  }, 120_000)
})

describe('a server that has started without settings', () => {
  let folder: string
  let output: string
  beforeAll(async () => {
    folder = await mkdtemp(join(dir, 'once-'))
    await chmod(folder, 0o755)
    const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', NODE_ENV: 'production' }
    const server = await startProcess('apps/server/src/main.ts', env)
    await server.stop()
    output = server.output()
  })

  it('warns once, in production, that no e-mail is sent', () => {
    expect(output.match(/SMTP_URL is not set/g)).toHaveLength(1)
  })

  it('keeps its secret where only its owner can read it', async () => {
    const file = join(folder, 'secret.key')
    const { mode } = await stat(file)
    expect(mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim().length).toBeGreaterThanOrEqual(40)
  })

  it('lets no other user get at what rooms and backups hold, nor at the password of the database', async () => {
    for (const [name, closed] of [
      ['regions', 0o077],
      ['backups', 0o077],
      ['postgres.json', 0o077],
      ['postgres', 0o077],
    ] as const)
      expect((await stat(join(folder, name))).mode & closed, name).toBe(0)
  })
})

describe('two processes that start at once on an empty database', () => {
  it('both become ready, with one schema and one administrator', async () => {
    const database = await createNetworkDatabase()
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: join(dir, 'twins'),
      SECRET_KEY: 'a secret key for tests only',
      EMBEDDED_REGIONS: '0',
    }
    const servers = await Promise.all([startServer(env), startServer(env), startServer(env)])
    for (const server of servers) await signIn(() => server.address, administrator)
    expect(await database.rows('select id from operators')).toHaveLength(1)
    await Promise.all(servers.map((server) => server.stop()))
    await database.drop()
  })
})

describe('a database that this version cannot use', () => {
  it.each([
    [
      'was made by another state of the schema',
      [{ ...schema, checksum: '1234567890' }],
      `The database was made by another, unreleased state of Roomkeeper, from which there is no upgrade (its schema change 001-schema.sql is 12345678, that of this version ${schema?.checksum.slice(0, 8)}): nothing was changed; start the state that made it or, to give up its data, this one with an empty DATA_DIR and, where DATABASE_URL is set, an empty database.`,
    ],
    [
      'was made by many numbered files',
      [
        { number: 1, name: '001-operators.sql', checksum: '1234567890' },
        { number: 2, name: '002-regions.sql', checksum: '2345678901' },
      ],
      `The database was made by another, unreleased state of Roomkeeper, from which there is no upgrade (its schema change 001-operators.sql is 12345678, that of this version ${schema?.checksum.slice(0, 8)}): nothing was changed; start the state that made it or, to give up its data, this one with an empty DATA_DIR and, where DATABASE_URL is set, an empty database.`,
    ],
    [
      'is newer',
      [schema, { number: 2, name: '002-later.sql', checksum: '2345678901' }],
      'The database is newer than this version of Roomkeeper (it has the schema change 002-later.sql): start the newer version.',
    ],
  ])('%s: the start ends with one line that says what to do, and changes nothing', async (_, changes, line) => {
    const database = await createNetworkDatabase()
    await database.rows('create table schema_changes (number integer, name text, checksum text)')
    await database.rows(
      `insert into schema_changes select number, name, checksum from jsonb_populate_recordset(null::schema_changes, $1)`,
      [JSON.stringify(changes)],
    )
    const { status, stderr } = spawnSync(process.execPath, [resolve(repository, 'apps/server/src/main.ts')], {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: join(dir, 'strange'),
        DATABASE_URL: database.url,
        LOG_LEVEL: 'warn',
      },
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(stderr.trim()).toBe(`Roomkeeper could not start: ${line}`)
    expect(status).toBe(1)
    expect(await database.rows(`select tablename as name from pg_tables where schemaname = 'public'`)).toEqual([
      { name: 'schema_changes' },
    ])
    await database.drop()
  })
})

describe.skipIf(!existsSync('/usr/sbin/pgbouncer'))('behind PgBouncer', () => {
  it.each(['session', 'transaction'] as const)('in %s mode it starts, or says why not', async (mode) => {
    const database = await createNetworkDatabase()
    const { url, stop } = await startPgBouncer(database.url, mode)
    const env = {
      DATA_DIR: join(dir, mode),
      DATABASE_URL: url,
      EMBEDDED_REGIONS: '0',
      SECRET_KEY: 'a secret for tests',
    }
    const started = await startServer(env).catch(String)
    if (mode === 'session' && typeof started !== 'string') await started.stop()
    else
      expect(started).toContain(
        'Roomkeeper could not start: DATABASE_URL is wrong: a connection pooler in transaction mode answers there.',
      )
    expect(typeof started).toBe(mode === 'session' ? 'object' : 'string')
    await stop()
    await database.drop()
  })
})

async function startPgBouncer(url: string, mode: 'session' | 'transaction') {
  const { hostname, port, pathname, username, password } = new URL(url)
  const [own, folder] = [await freePort(), await mkdtemp(join(dir, 'pgbouncer-'))]
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]\n* = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nauth_type = any\n` +
      `pool_mode = ${mode}\nunix_socket_dir =\nmax_client_conn = 100\ndefault_pool_size = 50\n`,
  )
  await chmod(folder, 0o755)
  // It does not run as root.
  const child = spawn('/usr/sbin/pgbouncer', ['-u', 'nobody', settings], { stdio: 'ignore' })
  const answers = () =>
    new Promise<boolean>((resolveAnswer) => {
      const socket = connect(own, '127.0.0.1', () => resolveAnswer(true)).on('error', () => resolveAnswer(false))
      socket.on('connect', () => socket.destroy())
    })
  await until('PgBouncer listens', answers)
  return {
    url: `postgres://any@127.0.0.1:${own}${pathname}`,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

// shows: settings-wrong
it('a wrong setting stops the start with one line that names it', () => {
  const { status, stderr } = spawnSync(process.execPath, [resolve(repository, 'apps/server/src/main.ts')], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(dir, 'wrong'), PORT: 'eighty' },
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(stderr.trim()).toBe('PORT is wrong: it takes a port from 0 (any free one) to 65535.')
  expect(status).toBe(2)
})
