/** What the people who run Roomkeeper rely on: health, metrics, logs, and a graceful stop. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { bootNetwork, type Network, skewedClock, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

const get = async (path: string, headers: Record<string, string> = {}, address = network.server.address) => {
  const answer = await fetch(address + path, { headers })
  return { status: answer.status, text: await answer.text() }
}

/** The value in the first line that begins with `start`. */
function figure(text: string, start: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(start))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

describe('/readyz', () => {
  // shows: readyz
  it('says what it looked at, and that the process is ready', async () => {
    const { status, text } = await get('/readyz')
    expect(JSON.parse(text)).toEqual({
      status: 'ready',
      database: 'ok',
      schema: 'ok',
      worker: 'ok',
      clock: 'ok',
      store: 'ok',
      stopping: false,
    })
    expect(status).toBe(200)
    expect((await get('/healthz')).status).toBe(200)
  })

  // shows: readyz
  it('answers 503 when the database lacks a schema change, as after an old dump was restored', async () => {
    const [newest] = await network.database.rows<{ number: number; name: string; checksum: string }>(
      'delete from schema_changes where number = (select max(number) from schema_changes) returning number, name, checksum',
    )
    const { status, text } = await get('/readyz')
    await network.database.rows('insert into schema_changes (number, name, checksum) values ($1, $2, $3)', [
      newest?.number,
      newest?.name,
      newest?.checksum,
    ])
    expect(JSON.parse(text)).toMatchObject({ status: 'not ready', schema: 'older' })
    expect(status).toBe(503)
    expect((await get('/readyz')).status).toBe(200)
  })

  it('asks the database once for all who ask at the same moment', async () => {
    const locked = new pg.Client({ connectionString: network.database.url })
    await locked.connect()
    await locked.query('begin; lock table schema_changes in access exclusive mode')
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from schema_changes%'`
    const asked = Array.from({ length: 20 }, () => get('/readyz'))
    try {
      await until('a check waits', async () => (await network.database.rows(waiting)).length > 0)
      await Promise.all(Array.from({ length: 5 }, () => get('/healthz')))
      expect(await network.database.rows(waiting)).toHaveLength(1)
    } finally {
      await locked.end()
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('of a worker without an API is at its HEALTH_PORT', async () => {
    const worker = await network.addServer({ PROCESS: 'worker', HEALTH_PORT: '0' })
    expect((await get('/readyz', {}, worker.address)).text).toContain('"worker":"ok"')
    expect((await get('/metrics', {}, worker.address)).text).toContain('roomkeeper_workers{lease="fresh"} 2')
    expect((await get('/api/operator/regions', {}, worker.address)).status).toBe(404)
    await worker.stop()
  })
})

describe('a worker whose clock is wrong', () => {
  it('by a year takes no work, and says so', async () => {
    const worker = await network.addServer({ PROCESS: 'worker', HEALTH_PORT: '0', ...skewedClock(365 * 86_400) })
    const { status, text } = await get('/readyz', {}, worker.address)
    expect([status, JSON.parse(text)]).toEqual([503, expect.objectContaining({ worker: 'ok', clock: 'wrong' })])
    expect(worker.output()).toContain('it takes no work until it is right')
    const ahead = figure((await get('/metrics', {}, worker.address)).text, 'roomkeeper_clock_ahead_seconds')
    expect(Math.round((ahead ?? 0) / 86_400)).toBe(365)
    await network.server.stop()
    const id = '00000000-0000-4000-8000-0000000000c1'
    await network.database.rows(
      `insert into operations (id, kind, version, room_name, input, state, started_by)
       values ($1, 'room.create', 1, 'x', '{}', 'waiting', 'test')`,
      [id],
    )
    const claimed = () => network.database.rows('select from operations where id = $1 and fence > 0', [id])
    // The heartbeat goes on meanwhile, and with it the regular looks.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(await claimed()).toEqual([])
    await network.restartServer()
    await until('a worker with a right clock takes it', async () => (await claimed()).length === 1)
    await worker.stop()
    await network.database.rows('delete from operations where id = $1', [id])
  })

  it('by seconds works, and says so', async () => {
    const worker = await network.addServer({ PROCESS: 'worker', HEALTH_PORT: '0', ...skewedClock(-20) })
    const { status, text } = await get('/readyz', {}, worker.address)
    expect([status, JSON.parse(text).clock]).toEqual([200, 'off'])
    expect(worker.output()).toContain('the clock of this process differs from the database')
    await worker.stop()
  })
})

describe('/metrics', () => {
  it('counts calls by route, and tells what the whole system is doing', async () => {
    const room = await network.newRoom()
    await network.admin.call('room', { query: { projectRoom: room } })
    const { status, text } = await get('/metrics')
    expect(status).toBe(200)
    const ofRoom =
      'roomkeeper_http_request_duration_seconds_count{method="GET",route="/api/operator/room",status="200"}'
    expect(figure(text, ofRoom)).toBe(1)
    expect(text).not.toContain(room)
    expect(figure(text, 'roomkeeper_operations{kind="room.create",state="done"}')).toBe(1)
    expect(figure(text, 'roomkeeper_rooms{state="DEFAULT"}')).toBe(1)
    expect(figure(text, 'roomkeeper_region_rooms{region="region-1"}')).toBe(1)
    expect(figure(text, 'roomkeeper_region_up{region="region-1"}')).toBe(1)
    expect(figure(text, 'roomkeeper_workers{lease="fresh"}')).toBe(1)
    expect(figure(text, 'roomkeeper_worker_heartbeat_age_seconds')).toBeLessThan(10)
    expect(figure(text, 'roomkeeper_database_up')).toBe(1)
    expect(figure(text, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  })

  it('shows a line of operations, and a region that is away', async () => {
    const login = { userName: 'superuser', password: 'x', passwordSystem: 'x' }
    const body = { regionName: 'away', regionIPorURL: 'http://127.0.0.1:9', ...login }
    const { regionId: id } = (await network.admin.call('createRegion', { body })).body
    // A new process has not asked the regions yet.
    const other = await network.addServer({ PROCESS: 'api' })
    const insert = `insert into operations (id, kind, version, room_name, region_id, input, state, started_by)
                    values (gen_random_uuid(), 'kind that no worker knows', 1, 'x', $1, '{}', 'waiting', 'test')`
    await network.database.rows(insert, [id])
    const { text } = await get('/metrics', {}, other.address)
    expect(figure(text, 'roomkeeper_region_up{region="away"}')).toBe(0)
    expect(figure(text, 'roomkeeper_operations_waiting{region="away"}')).toBe(1)
    expect(figure(text, 'roomkeeper_operations_oldest_waiting_seconds')).toBeLessThan(30)
    expect(JSON.parse((await get('/readyz', {}, other.address)).text)).toMatchObject({ worker: 'none' })
    await network.database.rows(`delete from operations where state = 'waiting'`)
    await other.stop()
  })

  it('lack what cannot be read from the database, instead of saying what was true before', async () => {
    await network.newRoom()
    const figures = async () =>
      [...(await get('/metrics')).text.matchAll(/^(roomkeeper_[a-z_]+)(?=[ {])/gm)].map(([, name]) => name)
    const before = new Set(await figures())
    await network.database.rows('alter table doctor_findings rename to findings_away')
    const during = await get('/metrics')
    const left = new Set(await figures())
    await network.database.rows('alter table findings_away rename to doctor_findings')
    expect(during.status).toBe(200)
    expect(figure(during.text, 'roomkeeper_database_up')).toBe(0)
    // Those of deliveries are read by themselves, and here they can be.
    const known =
      /^roomkeeper_(clock_ahead_seconds|database_up|event_streams|http_request_duration_.*|recurring_.*|tokens_refused_total|webhook.*|mails?_.*)$/
    expect([...left].filter((name = '') => !known.test(name))).toEqual([])
    expect([...left].length).toBeGreaterThan(3)
    expect(new Set(await figures())).toEqual(before)
  })

  // shows: metrics-hosts
  it('are for this machine only, unless METRICS_HOSTS says otherwise', async () => {
    expect((await get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
    const other = await network.addServer({ PROCESS: 'api', TRUST_PROXY: '1', METRICS_HOSTS: '10.1.0.0/16,192.0.2.7' })
    const from = async (address: string) =>
      (await get('/metrics', { 'x-forwarded-for': address }, other.address)).status
    expect(await Promise.all(['10.1.2.3', '192.0.2.7', '10.2.0.1', '192.0.2.8'].map(from))).toEqual([
      200, 200, 404, 404,
    ])
    expect((await get('/metrics', {}, other.address)).status).toBe(404)
    await other.stop()
  })
})

describe('a process whose place for backups is not the store', () => {
  it('is not ready if it is a worker, and says so in its metrics, until the store is back', async () => {
    const room = await network.newSuspendedRoom()
    await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    const folder = join(network.dir, 'server', 'backups')
    await rename(folder, `${folder}-elsewhere`)
    const shared = { PROCESS: 'worker', HEALTH_PORT: '0', BACKUP_STORE: folder }
    const worker = await network.addServer(shared)
    try {
      const { status, text } = await get('/readyz', {}, worker.address)
      expect(JSON.parse(text)).toMatchObject({ status: 'not ready', worker: 'ok', store: 'other' })
      expect(status).toBe(503)
      expect(figure((await get('/metrics', {}, worker.address)).text, 'roomkeeper_backup_store_up')).toBe(0)
      expect(existsSync(folder)).toBe(false)
      // An API answers the calls that need no store.
      await until('the API says so', async () => (await get('/readyz')).text.includes('"store":"other"'))
      expect((await get('/readyz')).status).toBe(200)
    } finally {
      await rename(`${folder}-elsewhere`, folder)
    }
    await until('it is ready', async () => (await get('/readyz', {}, worker.address)).status === 200)
    expect(figure((await get('/metrics', {}, worker.address)).text, 'roomkeeper_backup_store_up')).toBe(1)
    await worker.stop()
    expect(worker.output()).toContain('the backup store cannot be used')
  })
})

describe('an API with a HEALTH_PORT', () => {
  it('has its figures there, and at the port that a proxy passes on none for anybody', async () => {
    const port = await freePort()
    const everybody = { TRUST_PROXY: '1', METRICS_HOSTS: '*' }
    const api = await network.addServer({ PROCESS: 'api', HEALTH_PORT: String(port), ...everybody })
    for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }])
      expect((await get('/metrics', headers, api.address)).status).toBe(404)
    const { text } = await get('/metrics', {}, `http://127.0.0.1:${port}`)
    expect(
      figure(text, 'roomkeeper_http_request_duration_seconds_count{method="GET",route="/metrics",status="404"}'),
    ).toBe(2)
    for (const address of [api.address, `http://127.0.0.1:${port}`])
      expect((await get('/readyz', {}, address)).status).toBe(200)
    expect((await get('/api/operator/regions', {}, `http://127.0.0.1:${port}`)).status).toBe(404)
    await api.stop()
  })
})

describe('a stop in order', () => {
  it('lets a call that waits for its operation finish, and answers it', async () => {
    const room = await network.newRoom()
    const path = `/region/v1/rooms/${room}/suspend`
    await network.setRegionFaults([{ method: 'POST', path, action: 'delay', milliseconds: 1500 }])
    const suspending = network.admin.call('suspendRoom', { body: { roomName: room } })
    await until('the step runs', async () => (await stepsRunning()) > 0)
    await network.server.stop()
    const { status, body } = await suspending
    expect(status).toBe(200)
    expect(body).toMatchObject({ projectRoomState: 'SUSPENDED' })
    expect(network.server.child.exitCode).toBe(0)
    await network.restartServer()
  })

  it('loses no step of an operation that nobody waits for', async () => {
    const room = await network.newRoom()
    await network.admin.call('suspendRoom', { body: { roomName: room } })
    await network.setRegionFaults([
      { method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 1500, times: 1 },
    ])
    const query = { projectRoomName: room, isD2O: false }
    const { operationId } = (await network.admin.call('backupRoom', { query })).body
    await until('the step runs', async () => (await stepsRunning()) > 0)
    await network.server.stop()
    expect(network.server.child.exitCode).toBe(0)
    await network.restartServer({ LOG_LEVEL: 'info' })
    await network.settle()
    const { body } = await network.admin.call('operationLog', { query: { processId: operationId } })
    expect(body.state).toBe('done')
    const backups = await network.admin.call('roomBackups', { query: { projectRoom: room } })
    expect(backups.body).toHaveLength(1)
    const [{ request_id } = { request_id: '' }] = await network.database.rows<{ request_id: string }>(
      'select request_id from operations where id = $1',
      [operationId],
    )
    const told = network.server
      .output()
      .split('\n')
      .filter((line) => line.includes(operationId))
    expect(told.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'operation begins', kind: 'room.backup', room, requestId: request_id },
      { msg: 'operation ended', state: 'done', requestId: request_id },
    ])
  })
})

async function stepsRunning(): Promise<number> {
  const [row] = await network.database.rows<{ running: number }>(
    `select count(*)::int as running from operation_steps where state = 'running'`,
  )
  return row?.running ?? 0
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
