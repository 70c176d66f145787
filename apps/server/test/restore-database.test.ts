/**
 * The console's own database, dumped while the console works and restored on another server as docs/operations.md
 * describes. Needs an installed PostgreSQL with its programs (initdb, pg_dump, pg_restore); skipped without one.
 */
import { join } from 'node:path'
import { createClient } from '@roomkeeper/contract'
import {
  administrator,
  operatorDraft,
  repository,
  roomDraft,
  signIn,
  startRegion,
  startServer,
  until,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InstalledPostgres, installedPrograms, startInstalledPostgres } from './installed-postgres.ts'

let postgres: InstalledPostgres
beforeAll(async () => {
  if (installedPrograms === null) return
  postgres = await startInstalledPostgres()
  postgres.run('createdb', ['roomkeeper'])
})
afterAll(() => postgres?.stop())

// shows: C-confirmOperator
it.skipIf(installedPrograms === null)(
  'a dump taken while rooms are made, restored: everything is there, and what was under way goes on',
  async () => {
    const { dir, run, urlOf } = postgres
    const region = await startRegion({ name: 'region-1', dataDir: join(dir, 'region') })
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

    const draft = { name: 'Before the dump', role: 'CLOUD_SUPPORT' } as const
    const { token } = (await admin.call('createToken', { body: draft })).body

    const hook = { name: 'Chat', url: 'https://hooks.example', events: ['room.created'], isOn: true } as const
    await admin.call('createWebhook', { body: { ...hook, events: [...hook.events] } })

    const eve = { ...operatorDraft('CLOUD_ADMINISTRATOR'), email: 'eve@example.com' }
    const sam = { ...operatorDraft('CLOUD_ADMINISTRATOR'), email: 'sam@example.com' }
    const accounts = [
      await admin.call('createOperator', { body: eve }),
      await admin.call('createOperator', { body: sam }),
    ]

    run('pg_dump', ['-Fc', '-f', join(dir, 'dump'), 'roomkeeper'])

    const [eveId = '', samId = ''] = accounts.map(({ body }) => body.id)
    await admin.call('deleteOperator', { params: { id: eveId } })
    const lower = { ...sam, role: 'CLOUD_SUPPORT', password: 'another password' } as const
    await admin.call('changeOperator', { params: { id: samId }, body: lower })

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
    const script = ['-f', join(repository, 'deploy/after-restore.sql'), 'restored']
    expect(() => run('psql', script)).toThrow()
    expect(() => run('psql', ['-v', 'keep=nobody@example.com', ...script])).toThrow()
    expect((await queries.query('select from sessions')).rowCount).toBeGreaterThan(0)
    run('psql', ['-v', `keep=${administrator.email}`, ...script])

    const again = await startServer(envFor('restored'))
    await expect(admin.call('regions', {})).rejects.toThrow()
    const program = createClient({ base: again.address, token: () => token })
    await expect(program.call('whoCalls', {})).rejects.toMatchObject({ problem: { status: 401 } })
    const back = await signIn(() => again.address, administrator)
    for (const { email, password } of [eve, sam])
      await expect(signIn(() => again.address, { email, password })).rejects.toMatchObject({ code: 'account-locked' })
    const locked = (await back.call('operators', {})).body.filter(({ lockedAt }) => lockedAt !== null)
    expect(locked.map(({ email }) => email).sort()).toEqual([eve.email, sam.email].sort())
    await back.call('confirmOperator', { params: { id: samId } })
    await signIn(() => again.address, { email: sam.email, password: sam.password })
    expect((await queries.query(`select detail from audit where action = 'operator.confirm'`)).rows).toEqual([
      { detail: sam.email },
    ])
    // The console has the anchors of the former database in its folder and in its store.
    const acknowledged = (await back.call('audit', { query: { action: 'audit.acknowledge' } })).body
    expect(acknowledged).toMatchObject({ totalElements: 1, data: [{ actor: 'system' }] })
    const findings = (await back.call('doctorFindings', {})).body.data
    expect(findings.filter(({ kind }) => kind === 'audit-cut-off')).toEqual([])
    await until('the room under way is active', async () => (await stateOf(back, underWay.tenantName)) === 'DEFAULT')
    expect((await back.call('webhooks', {})).body).toMatchObject([{ name: 'Chat', isOn: false }])
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
  return {
    DATABASE_URL: postgres.urlOf(database),
    DATA_DIR: join(postgres.dir, 'server'),
    SECRET_KEY,
    EMBEDDED_REGIONS: '0',
  }
}

async function stateOf(client: Awaited<ReturnType<typeof signIn>>, projectRoom: string): Promise<string> {
  return (await client.call('room', { query: { projectRoom } })).body.projectRoomState
}
