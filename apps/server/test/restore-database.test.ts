/**
 * The console's own database, dumped while it works and restored elsewhere as docs/operations.md says. Needs an
 * installed PostgreSQL with its programs (initdb, pg_dump, pg_restore); skipped without one.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator, repository, roomDraft, signIn, startRegion, startServer, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

const bin = installedPrograms()
const asRoot = process.getuid?.() === 0
let dir: string
let port: number

beforeAll(async () => {
  if (bin === null) return
  dir = mkdtempSync(join(tmpdir(), 'roomkeeper-restore-'))
  port = await freePort()
  // PostgreSQL refuses to run as root.
  if (asRoot) chownSync(dir, Number(idOf('-u')), Number(idOf('-g')))
  chmodSync(dir, 0o755)
  asPostgres('initdb', ['-D', join(dir, 'data'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'])
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1`
  asPostgres('pg_ctl', ['-D', join(dir, 'data'), '-o', options, '-l', join(dir, 'log'), '-w', 'start'])
  run('createdb', ['roomkeeper'])
})
afterAll(() => {
  if (bin === null) return
  asPostgres('pg_ctl', ['-D', join(dir, 'data'), '-m', 'immediate', 'stop'])
  rmSync(dir, { recursive: true, force: true })
})

it.skipIf(bin === null)(
  'a dump taken while rooms are made, restored: everything is there, and what was under way goes on',
  async () => {
    const region = await startRegion({ name: 'region-1', dataDir: join(dir, 'region'), env: { REGION_FAULTS: '1' } })
    const server = await startServer(envFor('roomkeeper'))
    const admin = await signIn(() => server.address, administrator)
    const { name: regionName, url: regionIPorURL, userName, password, systemPassword: passwordSystem } = region
    const login = { userName, password, passwordSystem }
    await admin.call('createRegion', { body: { regionName, regionIPorURL, ...login } })
    const ready = roomDraft()
    const underWay = roomDraft()
    await admin.call('createRoom', { body: ready })
    await until('the first room is active', async () => (await stateOf(admin, ready.tenantName)) === 'DEFAULT')
    const rules = [
      { method: 'PUT', path: `/region/v1/rooms/${underWay.tenantName}`, action: 'delay', milliseconds: 4000 },
    ]
    await fetch(`${region.url}/faults`, { method: 'PUT', headers: json, body: JSON.stringify(rules) })
    await admin.call('createRoom', { body: underWay })

    run('pg_dump', ['-Fc', '-f', join(dir, 'dump'), 'roomkeeper'])

    await until('the second room is active', async () => (await stateOf(admin, underWay.tenantName)) === 'DEFAULT')
    await server.stop()
    run('createdb', ['restored'])
    run('pg_restore', ['--exit-on-error', '--no-owner', '-d', 'restored', join(dir, 'dump')])
    const queries = new pg.Client({ connectionString: urlOf('restored') })
    await queries.connect()
    const before = await queries.query(`select name, state from rooms order by created_at`)
    expect(before.rows).toEqual([
      { name: ready.tenantName, state: 'DEFAULT' },
      { name: underWay.tenantName, state: 'IN_PROGRESS' },
    ])
    run('psql', ['-v', 'ON_ERROR_STOP=1', '-f', join(repository, 'deploy/after-restore.sql'), 'restored'])

    const again = await startServer(envFor('restored'))
    await expect(admin.call('regions', {})).rejects.toThrow()
    const back = await signIn(() => again.address, administrator)
    await until('the room under way is active', async () => (await stateOf(back, underWay.tenantName)) === 'DEFAULT')
    expect(again.child.exitCode).toBeNull()
    expect((await back.call('testRegion', { body: { id: 1 } })).body.ok).toBe(true)
    const totals = await queries.query(`select sum(rooms)::int as rooms from room_totals where state = 'DEFAULT'`)
    expect(totals.rows).toEqual([{ rooms: 2 }])
    const counted = await queries.query('select room_count from regions')
    expect(counted.rows).toEqual([{ room_count: 2 }])
    await queries.end()
    await again.stop()
    await region.stop('SIGKILL')
  },
  120_000,
)

const json = { 'content-type': 'application/json' }

function envFor(database: string): Record<string, string> {
  const SECRET_KEY = 'a secret key for tests only'
  return { DATABASE_URL: urlOf(database), DATA_DIR: join(dir, 'server'), SECRET_KEY, EMBEDDED_REGIONS: '0' }
}

async function stateOf(client: Awaited<ReturnType<typeof signIn>>, projectRoom: string): Promise<string> {
  return (await client.call('room', { query: { projectRoom } })).body.projectRoomState
}

/** The folder of an installed PostgreSQL's programs; null: there is none, or nobody to run it as. */
function installedPrograms(): string | null {
  try {
    const folder = '/usr/lib/postgresql'
    const newest = readdirSync(folder)
      .map(Number)
      .sort((a, b) => b - a)
      .find((version) => ['initdb', 'pg_dump'].every((name) => readdirSync(`${folder}/${version}/bin`).includes(name)))
    if (newest === undefined || spawnSync('id', ['postgres']).status !== 0) return null
    return `${folder}/${newest}/bin`
  } catch {
    return null
  }
}

const idOf = (what: string) => execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }).trim()
const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

function asPostgres(program: string, args: string[]): void {
  const path = join(bin ?? '', program)
  if (asRoot) execFileSync('runuser', ['-u', 'postgres', '--', path, ...args], { stdio: 'ignore', cwd: dir })
  else execFileSync(path, args, { stdio: 'ignore', cwd: dir })
}

function run(program: string, args: string[]): void {
  execFileSync(join(bin ?? '', program), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args])
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
