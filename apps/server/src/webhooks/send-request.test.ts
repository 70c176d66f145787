/** Where webhooks may not lead, in every way to write it; a resolver that changes its mind; receivers without end. */
import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressGuard, addressesIn, createAddressGuard, type ResolveAll } from './address-guard.ts'
import { sendRequest } from './send-request.ts'

let calls = 0
let port = 0
const inside = createServer(({ url }, response) => {
  calls += 1
  if (url === '/silent') return
  if (url === '/slow') response.write('begun')
  else if (url === '/headers') response.writeHead(200, { endless: 'x'.repeat(20_000) }).end()
  else response.end('inside')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
})
afterAll(() => {
  inside.close()
  inside.closeAllConnections()
})

const closed = createAddressGuard([])
const post = (guard: AddressGuard, url: string, milliseconds = 5000) =>
  sendRequest(guard, {
    url: new URL(url),
    headers: {},
    body: '{}',
    lookUpMilliseconds: milliseconds,
    callMilliseconds: milliseconds,
  })

const forbidden = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  'link-local, such as metadata of clouds': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  'of a carrier': ['100.64.0.1', '100.127.255.255'],
  'for documentation and tests': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1'],
  'multicast, broadcast or reserved': ['224.0.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1', '192.0.0.8'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'IPv4 within IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  'IPv4 within IPv6, as a URL writes it': ['::7f00:1', '::a9fe:a9fe', '::ffff:7f00:1', '::808:808'],
  'translated or tunnelled': ['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001::1', '100::1'],
  'outside of what the Internet has of IPv6': ['1000::', '0200::1', 'fe00::1', '4000::1', '5f00::1', '1fff:ffff::1'],
  'no addresses': ['', 'localhost', '127.1', '1'],
}

describe('nothing is sent to addresses that are', () => {
  it.each(Object.entries(forbidden))('%s', (_, addresses) => {
    expect(addresses.filter((each) => !closed.forbids(each))).toEqual([])
    // What a URL makes of them.
    const urls = addresses.map(urlOf).filter((url) => URL.canParse(url))
    const hosts = urls.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''))
    expect(hosts.filter((each) => !closed.forbids(each))).toEqual([])
  })
})

const urlOf = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}/`

it('public addresses are allowed', () => {
  const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1']
  expect(open.filter((each) => closed.forbids(each))).toEqual([])
})

it('networks of the setting are allowed, however their addresses are written, and no others', () => {
  const guard = createAddressGuard(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32'])
  const allowed = ['10.1.2.3', '192.168.7.7', '::ffff:10.1.2.3', 'fd00:1::7']
  expect(allowed.filter((each) => guard.forbids(each))).toEqual([])
  const others = ['10.2.0.1', '192.168.7.8', 'fd00:2::7', '127.0.0.1', '::ffff:10.2.0.1']
  expect(others.filter((each) => !guard.forbids(each))).toEqual([])
})

const waysToWrite = [
  '127.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '127.1',
  '127.0.0.1.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '0',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
]

// shows: webhook-guard
it.each(waysToWrite)('%s is not called', async (host) => {
  expect(await post(closed, `http://${host}:${port}/`)).toEqual({ answer: null, failure: 'address-forbidden' })
  expect(calls).toBe(0)
})

/** Answers each look-up with the next of these. */
function resolving(...answers: string[][]): ResolveAll & { asked: number } {
  const resolve = async (): Promise<LookupAddress[]> => {
    const found = answers[Math.min(resolve.asked++, answers.length - 1)] ?? []
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  resolve.asked = 0
  return resolve
}

it('a name is refused when one of its addresses is forbidden', async () => {
  const guard = createAddressGuard([], resolving(['8.8.8.8', '127.0.0.1']))
  expect(await post(guard, `http://two.example:${port}/`)).toEqual({ answer: null, failure: 'address-forbidden' })
})

it('a name with a dot at its end is judged by its addresses, too', async () => {
  const guard = createAddressGuard([], resolving(['127.0.0.1']))
  expect(await post(guard, `http://localhost.:${port}/`)).toMatchObject({ failure: 'address-forbidden' })
})

// shows: webhook-guard
it('the connection goes to the address that was judged: a name is resolved once per call', async () => {
  const resolve = resolving(['127.0.0.1'], ['10.0.0.1'])
  const guard = createAddressGuard(['127.0.0.0/8'], resolve)
  expect(await post(guard, `http://rebinding.example:${port}/`)).toMatchObject({ answer: { body: 'inside' } })
  expect([resolve.asked, calls]).toEqual([1, 1])
  // The next call resolves anew, and is judged anew.
  expect(await post(guard, `http://rebinding.example:${port}/`)).toMatchObject({ failure: 'address-forbidden' })
})

describe('a receiver has not got it', () => {
  const open = createAddressGuard(['127.0.0.0/8'])
  it.each(['silent', 'slow'])('when its answer has not ended in time: %s', async (path) => {
    const url = `http://127.0.0.1:${port}/${path}`
    expect(await post(open, url, 200)).toEqual({ answer: null, failure: 'timed-out' })
  })

  it('when the name is not resolved in time', async () => {
    const guard = createAddressGuard([], () => new Promise(() => undefined))
    expect(await post(guard, 'http://silent.example/', 200)).toEqual({ answer: null, failure: 'timed-out' })
  })

  it('when its headers have no end', async () => {
    const url = `http://127.0.0.1:${port}/headers`
    expect(await post(open, url)).toEqual({ answer: null, failure: 'answer-too-long' })
  })

  it('when it speaks no TLS, or nothing listens', async () => {
    expect(await post(open, `https://127.0.0.1:${port}/`)).toEqual({ answer: null, failure: 'certificate' })
    expect(await post(open, 'http://127.0.0.1:1/')).toEqual({ answer: null, failure: 'unreachable' })
  })
})

it('what is no public name does not resolve, and is no forbidden address', async () => {
  const guard = createAddressGuard([], () => Promise.reject(new Error('no such name')))
  expect(await post(guard, 'http://nowhere.example/')).toEqual({ answer: null, failure: 'unreachable' })
})

it('names that hang take nothing from another, and their look-ups are told to end', async () => {
  const ended: string[] = []
  const guard = createAddressGuard(['127.0.0.0/8'], (name, signal) => {
    if (name === 'good.example') return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    return new Promise(() => signal.addEventListener('abort', () => ended.push(name)))
  })
  const hanging = Array.from({ length: 40 }, (_, n) => post(guard, `http://hangs-${n}.example/`, 300))
  expect(await post(guard, `http://good.example:${port}/`)).toMatchObject({ failure: null })
  expect(new Set((await Promise.all(hanging)).map(({ failure }) => failure))).toEqual(new Set(['timed-out']))
  expect(ended).toHaveLength(40)
})

it('the file of hosts names addresses, whatever the case of the name, and not in its comments', () => {
  const hosts = '# 10.0.0.9 chat\n127.0.0.1\tlocalhost\n10.0.0.7  Chat.Internal chat # old\n::7 chat.internal\n\n'
  expect(addressesIn(hosts, 'chat.internal')).toEqual(['10.0.0.7', '::7'])
  expect([addressesIn(hosts, 'old'), addressesIn(hosts, '10.0.0.7'), addressesIn(hosts, '')]).toEqual([[], [], []])
})

describe('a receiver that speaks HTTP in a way of its own ends the try', () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'
  const refused = (status: number) => ({ answer: { status, body: '' }, failure: 'refused' })
  const ways: [string, (socket: Socket) => unknown, { answer?: object; failure: string }][] = [
    ['switches protocols', (socket) => socket.write(switching), refused(101)],
    ['switches protocols and closes', (socket) => socket.end(switching), refused(101)],
    ['switches protocols without naming one', (socket) => socket.write('HTTP/1.1 101 X\r\n\r\n'), refused(101)],
    [
      'opens a tunnel and is silent',
      (socket) => socket.write('HTTP/1.1 200 Connected\r\n\r\n'),
      { failure: 'timed-out' },
    ],
    ['sends garbage', (socket) => socket.write('garbage\r\n\r\n'), { failure: 'unreachable' }],
    ['closes without an answer', (socket) => socket.end(), { failure: 'unreachable' }],
    ['resets the connection', (socket) => socket.resetAndDestroy(), { failure: 'unreachable' }],
    ['begins a head and is silent', (socket) => socket.write('HTTP/1.1 200 OK\r\nA'), { failure: 'timed-out' }],
    ['says again and again that it will answer', flood, { failure: 'answer-too-long' }],
    [
      'says once that it will, and does not',
      (socket) => socket.write('HTTP/1.1 103 Early\r\n\r\n'),
      { failure: 'timed-out' },
    ],
  ]
  function flood(socket: Socket): void {
    if (!socket.destroyed) socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(10), () => flood(socket))
  }

  it.each(ways)('%s', async (_, behave, expected) => {
    const sockets = new Set<Socket>()
    const server = createRawServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.once('data', () => behave(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const limit = expected.failure === 'timed-out' ? 500 : 10_000
    expect(await post(createAddressGuard(['127.0.0.0/8']), url, limit)).toMatchObject(expected)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
