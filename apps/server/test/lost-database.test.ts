/**
 * The database silently stops answering: it is frozen, the network swallows everything, or its host is lost and the
 * standby takes over. No call waits forever, and everything continues as soon as there is a database again.
 */
import {
  bootNetwork,
  type FaultProxy,
  type Network,
  type PostgresServer,
  roomDraft,
  startFaultProxy,
  startPostgresServer,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const name = 'roomkeeper'
let primary: PostgresServer
let proxy: FaultProxy
let network: Network

beforeAll(async () => {
  primary = await startPostgresServer()
  await primary.createDatabase(name)
  proxy = await startFaultProxy(primary)
})
afterAll(async () => {
  await network?.stop()
  await proxy?.close()
  await primary?.remove()
})

const databaseOf = (server: PostgresServer) => ({
  url: server.url(name),
  rows: <Row>(text: string, values?: unknown[]) => server.rows<Row>(text, values, name),
  drop: async () => undefined,
})
const throughProxy = () => primary.url(name).replace(`:${primary.port}/`, `:${proxy.port}/`)

/** @returns `answered`, or the code of the refusal */
function ask(): Promise<string> {
  return network.admin.call('listRooms', {}).then(
    () => 'answered',
    (error) => error.code as string,
  )
}
const askOften = () => Promise.all(Array.from({ length: 30 }, ask))
const health = async (path: string) => (await fetch(network.server.address + path)).status

describe('an API process whose database does not answer', () => {
  beforeAll(async () => {
    network = await bootNetwork({
      regions: 0,
      database: databaseOf(primary),
      env: { DATABASE_URL: throughProxy(), DATABASE_TIMEOUT_SECONDS: '3', PROCESS: 'api' },
    })
  })
  afterAll(async () => {
    await primary.thaw()
    await proxy.set({})
    await network.stop()
  })

  it('while it starts, waits for it', async () => {
    const way = await startFaultProxy(primary)
    await way.set({ blackHole: 'everything' })
    const starting = network.addServer({
      DATABASE_URL: primary.url(name).replace(`:${primary.port}/`, `:${way.port}/`),
    })
    await until('it has asked', async () => way.connections() > 0)
    await way.set({ reset: true })
    await way.set({})
    const server = await starting
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
    await server.stop()
    await way.close()
  })

  it('because it is frozen, refuses every call, says so in /readyz, and goes on when it is over', async () => {
    await askOften()
    await primary.freeze()
    const [answers, ready, alive] = await Promise.all([askOften(), health('/readyz'), health('/healthz')])
    expect(new Set(answers)).toEqual(new Set(['database-unreachable']))
    expect({ ready, alive }).toEqual({ ready: 503, alive: 200 })
    await primary.thaw()
    await until('calls are answered', async () => (await ask()) === 'answered')
    expect(await health('/readyz')).toBe(200)
  })

  it('because the network swallows everything, refuses every call, and goes on when there is a way again', async () => {
    await askOften()
    await proxy.set({ blackHole: 'everything' })
    expect(new Set(await askOften())).toEqual(new Set(['database-unreachable']))
    expect(await health('/readyz')).toBe(503)
    await proxy.set({ refuse: true })
    await proxy.set({})
    await until('calls are answered', async () => (await ask()) === 'answered')
    expect(new Set(await askOften())).toEqual(new Set(['answered']))
  })

  it('stops in order all the same', async () => {
    await askOften()
    await proxy.set({ blackHole: 'everything' })
    await network.server.stop()
    expect(network.server.child.exitCode).toBe(0)
    await proxy.set({})
  })
})

describe('a standby that is promoted under load', () => {
  it('is found by every process; nothing that was acknowledged is lost, and consoles go on listening', async () => {
    const standby = await primary.addStandby({ synchronous: true })
    await primary.rows(`drop database ${name} with (force)`)
    await primary.createDatabase(name)
    const hosts = `127.0.0.1:${proxy.port},127.0.0.1:${standby.port}`
    const url = primary.url(name).replace(`127.0.0.1:${primary.port}`, hosts)
    const env = { DATABASE_URL: `${url}?target_session_attrs=read-write`, DATABASE_TIMEOUT_SECONDS: '4' }
    network = await bootNetwork({ regions: 1, database: databaseOf(primary), env: { ...env, PROCESS: 'api' } })
    const working = keepWorkerUp(env)
    const load = Array.from({ length: 4 }, createRooms)
    const console = await listen()
    await until('rooms are being made', async () => made.length > 10)

    await proxy.set({ blackHole: 'everything' })
    await primary.kill()
    await standby.promote()
    const before = made.length
    await until('rooms are made again', async () => made.length > before + 10, 60)
    loadIsOver = true
    await Promise.all(load)

    await until('all rooms are active', async () => (await waitingFor()).length === 0, 90)
    await until('the console has heard of the last', async () => console.text().includes(made.at(-1) ?? ''))
    const [region] = network.regions
    const onRegion = await Promise.all(made.map((room) => region?.client.room(room)))
    expect(onRegion.map((room) => room?.state)).toEqual(made.map(() => 'active'))
    console.close()
    workIsOver = true
    await network.stop()
    await working
  }, 240_000)
})

const made: string[] = []
let loadIsOver = false
let workIsOver = false

async function createRooms(): Promise<void> {
  while (!loadIsOver) {
    const body = roomDraft()
    const isMade = await network.admin.call('createRoom', { body }).then(
      () => true,
      () => false,
    )
    if (isMade) made.push(body.tenantName)
    // After a refusal, wait until the API answers again before trying the next one.
    else await until('the API answers', async () => (await health('/readyz')) === 200, 60)
  }
}

/** Restarts the worker as its supervisor would, because a worker that loses its lease exits. */
async function keepWorkerUp(env: Record<string, string>): Promise<void> {
  while (!workIsOver) {
    const worker = await network.addServer({ ...env, PROCESS: 'worker' }).catch(() => null)
    await worker?.ended
  }
}

async function waitingFor(): Promise<string[]> {
  const active = new Set<string>()
  for (let page = 0; ; page++) {
    const { body } = await network.admin.call('listRooms', { query: { page, size: 100 } })
    for (const room of body.data) if (room.projectRoomState === 'DEFAULT') active.add(room.tenantName)
    if (page + 1 >= (body.totalPages ?? 0)) return made.filter((room) => !active.has(room))
  }
}

async function listen(): Promise<{ text(): string; close(): void }> {
  const leaving = new AbortController()
  const { body } = await fetch(`${network.server.address}/api/operator/events`, {
    headers: { authorization: `Bearer ${network.admin.token}` },
    signal: leaving.signal,
  })
  const heard: string[] = []
  void (async () => {
    for await (const chunk of body ?? []) heard.push(Buffer.from(chunk).toString())
  })().catch(() => undefined)
  return { text: () => heard.join(''), close: () => leaving.abort() }
}
