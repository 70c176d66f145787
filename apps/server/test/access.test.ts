/** Every route × every role, and no session, a dead session, a session before its second factor. */
import { randomBytes } from 'node:crypto'
import { type Role, type Route, roles, rolesWith, routes } from '@roomkeeper/contract'
import { askWithoutBody, bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
})
afterAll(() => network?.stop())

const all = Object.entries(routes) as [string, Route][]
const guarded = all.filter(([, route]) => route.access !== 'public')

describe.each(guarded)('%s', (name, route) => {
  it.each(roles)('is open to %s exactly as the route table says', async (role) => {
    const { token } = await ownSession(role)
    const status = await statusOf(route, token)
    const allowed = route.access !== 'public' && rolesWith[route.access].includes(role)
    if (allowed) expect([401, 403]).not.toContain(status)
    else expect(status).toBe(403)
  })

  it('is closed without a session, with a dead one and with a made-up one', async () => {
    const { token, end } = await ownSession('CLOUD_ADMINISTRATOR')
    await end()
    expect(await statusOf(route, null)).toBe(401)
    expect(await statusOf(route, token)).toBe(401)
    expect(await statusOf(route, 'A'.repeat(43))).toBe(401)
    expect(await statusOf(route, 'no good%20token')).toBe(401)
  })

  it('reads no body before it knows who calls', async () => {
    const url = network.server.address + pathOf(route)
    expect(await askWithoutBody(url, route.method)).toBe(401)
    expect(await askWithoutBody(url, route.method, { authorization: `Bearer ${'A'.repeat(43)}` })).toBe(401)
  })

  it('answers 403 before the second factor, but for the calls that lead to it', async () => {
    const { token } = await ownSession('CLOUD_ADMINISTRATOR')
    await network.database.rows(
      `update sessions set awaits_second_factor = true where token_hash = sha256(convert_to($1, 'UTF8'))`,
      [token],
    )
    const status = await statusOf(route, token)
    if (route.beforeSecondFactor === true) expect([401, 403]).not.toContain(status)
    else expect(status).toBe(403)
    expect(name).not.toBe('')
  })
})

it('no body is read where there is nothing', async () => {
  for (const path of ['/nothing', '/api/operator/nothing', '/api/nothing', '/'])
    expect(await askWithoutBody(network.server.address + path, 'POST')).toBe(404)
})

it('a session counts in its header alone, never as a cookie, and no other site may read an answer or ask first', async () => {
  const { token } = await ownSession('CLOUD_ADMINISTRATOR')
  const url = network.server.address + routes.operators.path
  const origin = 'https://elsewhere.example'
  const cookie = `operator=${encodeURIComponent(JSON.stringify({ token }))}; token=${token}`
  expect((await fetch(url, { headers: { cookie, origin } })).status).toBe(401)
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, origin } })
  expect(answer.status).toBe(200)
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })
  for (const { headers } of [answer, asked])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

describe('the public routes', () => {
  it('are those that the route table names', () => {
    const open = all.filter(([, route]) => route.access === 'public').map(([name]) => name)
    const customers = [
      'languages',
      'customerNotifications',
      'customerConfiguration',
      'customerComponent',
      'findCustomerRoom',
      'forgotRoomName',
    ]
    expect(open.sort()).toEqual(['downloadBackup', 'maintenance', 'oktaConfig', 'signIn', ...customers].sort())
  })

  it('read no large body', async () => {
    const taking = all.filter(([, { access, method }]) => access === 'public' && method !== 'GET')
    expect(taking.length).toBeGreaterThan(0)
    for (const [, route] of taking)
      expect(await askWithoutBody(network.server.address + pathOf(route), route.method)).toBe(413)
  })
})

/** A session of its own, because some calls end it; made in the database, because signing in is slow on purpose. */
async function ownSession(role: Role): Promise<{ token: string; end(): Promise<unknown> }> {
  await network.as(role)
  const token = randomBytes(32).toString('base64url')
  await network.database.rows(
    `insert into sessions (token_hash, operator_id, awaits_second_factor)
     select sha256(convert_to($1, 'UTF8')), id, false from operators where role = $2 limit 1`,
    [token, role],
  )
  return { token, end: async () => expect(await statusOf(routes.signOut, token)).toBe(204) }
}

async function statusOf(route: Route, token: string | null): Promise<number> {
  const stopReading = new AbortController()
  const form = route.upload === undefined ? null : aForm(route.upload)
  const answer = await fetch(network.server.address + pathOf(route), {
    method: route.method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(form === null ? { 'content-type': 'application/json' } : {}),
    },
    body: form ?? (route.body === undefined ? null : '{}'),
    signal: stopReading.signal,
  })
  stopReading.abort()
  return answer.status
}

function pathOf(route: Route): string {
  return route.path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
}

function aForm(extension: string): FormData {
  const form = new FormData()
  form.append('file', new Blob(['not what it should be']), `x${extension}`)
  return form
}
