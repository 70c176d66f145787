/** Every answer of any kind carries its own x-request-id, which is in the log too. */
import { administrator, bootNetwork, type Network, openRawRequest, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
let room: string
beforeAll(async () => {
  network = await bootNetwork({
    env: { LOG_LEVEL: 'debug', REQUEST_TIMEOUT_SECONDS: '1' },
  })
  room = await network.newSuspendedRoom()
})
afterAll(() => network?.stop())

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Asked {
  method?: string
  path: string
  body?: string
  type?: string
  token?: string | null
}

async function ask({ method = 'GET', path, body, type = 'application/json', token = network.admin.token }: Asked) {
  return fetch(network.server.address + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
}

/** @returns the request id of the answer */
async function expectId(asked: Asked, status: number): Promise<string> {
  const answer = await ask(asked)
  await answer.body?.cancel()
  expect([asked.path, answer.status]).toEqual([asked.path, status])
  expect([asked.path, answer.headers.get('x-request-id')]).toEqual([asked.path, expect.stringMatching(uuid)])
  return answer.headers.get('x-request-id') ?? ''
}

// shows: wire-request-id
describe('an answer that is a success carries it:', () => {
  it.each<[string, () => Asked, number]>([
    ['an object', () => ({ path: `/api/operator/room?projectRoom=${room}` }), 200],
    ['a list', () => ({ method: 'POST', path: '/api/operator/get_tenants' }), 200],
    ['the head alone', () => ({ method: 'HEAD', path: '/api/operator/overview' }), 200],
    ['a public call', () => ({ path: '/api/maintenanceMode', token: null }), 200],
    ['a CSV that is streamed', () => ({ path: '/api/operator/export_tenants' }), 200],
    ['a stream of events', () => ({ path: '/api/operator/events' }), 200],
    ['a file to be saved', () => ({ path: '/api/operator/livemigration?download=1' }), 200],
    ['the description', () => ({ path: '/api/openapi.json', token: null }), 200],
    ['words of a language', () => ({ path: '/api/customer/languages', token: null }), 200],
    ['that it lives', () => ({ path: '/healthz', token: null }), 200],
    ['that it is ready', () => ({ path: '/readyz', token: null }), 200],
    ['the figures', () => ({ path: '/metrics', token: null }), 200],
  ])('%s', async (_, asked, status) => {
    await expectId(asked(), status)
  })

  it('an operation that was accepted, the backup that it makes, and a part of it', async () => {
    await expectId({ method: 'POST', path: `/api/operator/backup?projectRoomName=${room}&isD2O=false` }, 202)
    await network.settle()
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
    await expectId({ path: `/api/operator/room/backups/${backup?.id}/content` }, 200)
    const { url } = (await network.admin.call('createBackupTicket', { params: { id: backup?.id ?? '' } })).body
    const part = await fetch(network.server.address + url, { headers: { range: 'bytes=0-9' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
    expect(part.headers.get('x-request-id')).toMatch(uuid)
  })

  it('nothing at all', async () => {
    const { token } = (await network.admin.call('signIn', { body: administrator })).body
    await expectId({ method: 'POST', path: '/api/operator/sessions', token }, 204)
  })
})

// shows: wire-request-id
describe('an answer that is a refusal carries it:', () => {
  it.each<[string, () => Asked, number]>([
    ['of what is wrong', () => ({ method: 'POST', path: '/api/operator/suspend', body: '{}' }), 400],
    ['of what is no JSON', () => ({ method: 'POST', path: '/api/operator/suspend', body: '{' }), 400],
    ['of an address that cannot be read', () => ({ path: '/api/%zz' }), 400],
    ['of a caller without a session', () => ({ path: '/api/operator/overview', token: null }), 401],
    ['of a room that is not there', () => ({ path: '/api/operator/room?projectRoom=nowhere' }), 404],
    ['of a call that is not there', () => ({ path: '/api/operator/nothing' }), 404],
    ['of a method that is not there', () => ({ method: 'DELETE', path: '/api/operator/session' }), 404],
    ['of a file that is not there', () => ({ path: '/assets/none.js', token: null }), 404],
    ['of an address that is too long', () => ({ path: `/api/operator/isRunning/${'x'.repeat(300)}` }), 400],
    ['of a state', () => ({ method: 'POST', path: '/api/operator/suspend', body: `{"roomName":"${room}"}` }), 409],
    ['of too much', () => ({ method: 'POST', path: '/api/operator/edit', body: 'x'.repeat(2_000_000) }), 413],
    ['of a media type', () => ({ method: 'POST', path: '/api/operator/edit', body: 'x', type: 'text/xml' }), 415],
  ])('%s', async (_, asked, status) => {
    await expectId(asked(), status)
  })

  it('of a role', async () => {
    const { token } = await network.as('CLOUD_SUPPORT')
    await expectId({ path: '/api/operator/audit', token }, 403)
  })

  it('of too many', async () => {
    const email = 'flood@example.com'
    await network.database.rows(
      `insert into failed_sign_ins (email, address) select $1, '127.0.0.1' from generate_series(1, 10)`,
      [email],
    )
    const body = JSON.stringify({ email, password: 'x' })
    await expectId({ method: 'POST', path: '/api/operator/session', body, token: null }, 429)
  })

  it('of a region, and of one that cannot be reached', async () => {
    const body = JSON.stringify({ roomName: await network.newRoom(), userNotification: false })
    await network.setRegionFaults([{ path: '/region/v1/rooms/', action: 'status', status: 400 }])
    await expectId({ method: 'POST', path: '/api/operator/suspend', body }, 502)
    await network.regions[0]?.stop('SIGKILL')
    await expectId({ path: `/api/operator/room/database?projectRoom=${room}` }, 503)
    await network.restartRegion(0)
  })
})

it('what goes wrong on our side is answered with the id that the text names, under which the log says what', async () => {
  await network.database.rows('alter table maintenance rename to maintenance_elsewhere')
  try {
    const answer = await ask({ path: '/api/maintenanceMode', token: null })
    const id = answer.headers.get('x-request-id') ?? ''
    expect([answer.status, id]).toEqual([500, expect.stringMatching(uuid)])
    expect(((await answer.json()) as { detail: string }).detail).toContain(id)
    await until('the log says so', async () => linesOf(id).some(({ msg }) => msg === 'request failed'))
  } finally {
    await network.database.rows('alter table maintenance_elsewhere rename to maintenance')
  }
})

// shows: wire-request-id
it('no two answers carry the same, and each is in the log', async () => {
  const paths = ['/api/operator/overview', '/api/operator/nothing', '/assets/none.js', '/healthz']
  const answers = await Promise.all([...paths, ...paths].map((path) => ask({ path })))
  await Promise.all(answers.map((answer) => answer.text()))
  const ids = answers.map((answer) => answer.headers.get('x-request-id') ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  await until('all are in the log', async () => ids.every((id) => linesOf(id).some(({ msg }) => msg === 'request')))
})

describe('what is answered before it is a request of HTTP, or when it never becomes one, carries it:', () => {
  it.concurrent.each([
    ['what is no HTTP', 'nonsense\r\n\r\n', 400],
    ['a head that is too long', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['what nobody promises', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: gold\r\nConnection: close\r\n\r\n', 417],
    ['a head that never ends', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 408],
    [
      'a body that never comes',
      'POST /api/operator/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
      408,
    ],
  ])('%s', async (_, text, status) => {
    const request = await openRawRequest(network.server.address)
    request.send(text)
    const answer = await request.closed
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im)
  })
})

it('a worker that is asked for its health carries it too', async () => {
  const worker = await network.addServer({ PROCESS: 'worker', HEALTH_PORT: '0' })
  for (const path of ['/healthz', '/readyz', '/nothing', '/%zz']) {
    const answer = await fetch(worker.address + path)
    await answer.body?.cancel()
    expect([path, answer.headers.get('x-request-id')]).toEqual([path, expect.stringMatching(uuid)])
  }
  // No operator signs in there.
  expect(worker.output()).toContain(`Its health: ${worker.address}/healthz\n`)
  expect(worker.output()).not.toContain('sign in')
})

/** The lines of the server's log about a request. */
function linesOf(id: string): { msg: string }[] {
  const lines = network.server.output().split('\n')
  return lines.flatMap((line) => (line.includes(`"requestId":"${id}"`) ? (JSON.parse(line) as { msg: string }) : []))
}
