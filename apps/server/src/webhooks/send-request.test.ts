/** Where webhooks may not lead, in every way to write it; a resolver that changes its mind; receivers without end. */
import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressGuard, createAddressGuard, type ResolveAll } from './address-guard.ts'
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
  sendRequest(guard, { url: new URL(url), headers: {}, body: '{}', signal: AbortSignal.timeout(milliseconds) })

const forbidden = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  'link-local, such as metadata of clouds': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
  'of a carrier': ['100.64.0.1', '100.127.255.255'],
  'for documentation and tests': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1'],
  'multicast, broadcast or reserved': ['224.0.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1', '192.0.0.8'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'IPv4 within IPv6': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  'translated or tunnelled': ['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001::1', '100::1'],
  'no addresses': ['', 'localhost', '127.1', '1'],
}

describe('nothing is sent to addresses that are', () => {
  it.each(Object.entries(forbidden))('%s', (_, addresses) => {
    expect(addresses.filter((each) => !closed.forbids(each))).toEqual([])
  })
})

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
  const resolve = (_: string, done: (error: null, found: LookupAddress[]) => void) => {
    const found = answers[Math.min(resolve.asked++, answers.length - 1)] ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
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
    const guard = createAddressGuard([], () => undefined)
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
  const guard = createAddressGuard([], (_, done) => done(new Error('no such name'), []))
  expect(await post(guard, 'http://nowhere.example/')).toEqual({ answer: null, failure: 'unreachable' })
})
