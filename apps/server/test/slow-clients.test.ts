/**
 * Clients that stop in the middle of a request cannot hold a connection forever; slow clients are still served. The
 * tests run at the same time, because they only wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, openRawRequest } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  const env = { REQUEST_TIMEOUT_SECONDS: '1' }
  network = await bootNetwork({ regions: [{ env: { REGION_REQUEST_TIMEOUT_SECONDS: '1' } }], env })
})
afterAll(() => network?.stop())

const head = (path: string, bytes: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}Content-Length: ${bytes}\r\n\r\n`

describe.concurrent.each([
  {
    name: 'the console',
    address: () => network.server.address,
    signIn: '/api/operator/session',
    other: '/api/operator/create',
    token: async () => network.admin.token,
  },
  {
    name: 'a region',
    address: () => network.regions[0]?.url ?? '',
    signIn: '/region/v1/session',
    other: '/region/v1/rooms/nowhere/suspend',
    token: async () => regionToken(),
  },
])('$name', ({ address, signIn, other, token }) => {
  it.each([
    ['nothing', ''],
    ['half a head', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-'],
    ['no body', head(signIn, 50)],
    ['half a body', `${head(signIn, 50)}{"email":`],
    ['half a body where there is nothing', `${head('/nothing', 50)}{"email":`],
    ['half a body where it was not let in', `${head(other, 50)}{"email":`],
    ['half a file where it was not let in', head(other, 50).replace('application/json', 'application/octet-stream')],
    ['half a body to an address that cannot be read', `${head('/%zz', 50)}{"email":`],
    ['half a body and expects what nobody promises', `${head(signIn, 50, 'Expect: gold\r\n')}{"email":`],
  ])('leaves a client that sends %s', async (_, text) => {
    const request = await openRawRequest(address())
    request.send(text)
    await request.closed
  })

  it('leaves a stranger who takes for ever', async () => {
    const request = await openRawRequest(address())
    request.send(`${head(signIn, 10_000)}{`)
    const trickling = setInterval(() => request.send(' '), 200)
    expect(await request.closed).toContain('408')
    clearInterval(trickling)
  })

  it.each([
    ['to an address that cannot be read', head('/%zz', 10_000)],
    ['and expects what nobody promises', head(signIn, 10_000, 'Expect: gold\r\n')],
  ])('leaves a stranger who takes for ever %s', async (_, text) => {
    const request = await openRawRequest(address())
    request.send(text)
    const trickling = setInterval(() => request.send(' '), 200)
    await request.closed
    clearInterval(trickling)
  })

  it('reads no large body of a stranger', async () => {
    const request = await openRawRequest(address())
    request.send(head(signIn, 100_000) + ' '.repeat(100_000))
    expect(await request.closed).toMatch(/^HTTP\/1.1 413/)
  })

  it('lets a stranger who sends too large a body finish, and read why it was refused', async () => {
    const request = await openRawRequest(address())
    const half = ' '.repeat(1_000_000)
    request.send(head(signIn, 2 * half.length) + half)
    expect(await Promise.race([request.closed, pause(500, 'open')])).toBe('open')
    request.send(half)
    expect(await request.closed).toMatch(/^HTTP\/1.1 413/)
  })

  it('hears somebody who is slow but goes on, longer than a stranger might', async () => {
    const request = await openRawRequest(address())
    request.send(head(other, 30, `Authorization: Bearer ${await token()}\r\nConnection: close\r\n`))
    for (let sent = 0; sent < 30; sent += 1) {
      await pause(200)
      request.send(sent === 0 ? '{' : sent === 29 ? '}' : ' ')
    }
    expect(await request.closed).toMatch(/^HTTP\/1.1 (400|404)/)
  })
})

async function regionToken(): Promise<string> {
  const region = network.regions[0]
  const answer = await fetch(`${region?.url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: region?.userName, password: region?.password }),
  })
  return ((await answer.json()) as { token: string }).token
}
