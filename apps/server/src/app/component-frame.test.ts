import helmet from '@fastify/helmet'
import fastify, { type InjectOptions } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { serveComponentFrame } from './component-frame.ts'

const app = fastify()
beforeAll(async () => {
  await app.register(helmet)
  serveComponentFrame(app, 'https://component.example/customer.js')
  app.get('/api/customer/languages', async () => [])
  app.get('/api/operator/get_tenants', async () => [])
})

const customer = '/api/customer/languages'
const asks = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }

test('only documents of an opaque origin read the customers’ public calls, and nobody sends a session with them', async () => {
  expect(await allowed({ url: customer, headers: { origin: 'null' } })).toEqual({ origin: 'null' })
  // A session cannot be sent along: neither as a header nor as a cookie.
  const asked = await allowed({ method: 'OPTIONS', url: customer, headers: { origin: 'null', ...asks } })
  expect(asked).toEqual({ origin: 'null', methods: 'GET', headers: 'content-type' })
})

test('other origins and the operators’ calls get nothing', async () => {
  for (const origin of [
    'https://component.example',
    'https://evil.example',
    'NULL',
    'null, null',
    'http://localhost',
  ]) {
    expect(await allowed({ url: customer, headers: { origin } }), origin).toEqual({})
    expect(await allowed({ method: 'OPTIONS', url: customer, headers: { origin, ...asks } }), origin).toEqual({})
  }
  const headers = { origin: 'null' }
  expect(await allowed({ url: '/api/operator/get_tenants', headers })).toEqual({})
  expect(
    await allowed({ url: '/api/operator/get_tenants', headers: { ...headers, authorization: 'Bearer x' } }),
  ).toEqual({})
  const preflight = { method: 'OPTIONS', headers: { ...headers, ...asks } } as const
  expect(await allowed({ ...preflight, url: '/api/operator/get_tenants' })).toEqual({})
  const other = { ...headers, 'access-control-request-method': 'DELETE' }
  expect(await allowed({ method: 'OPTIONS', url: customer, headers: other })).toEqual({})
  expect(await allowed({ url: '/customer_component', headers })).toEqual({})
})

/** The `access-control-allow-…` headers of an answer. */
async function allowed(call: InjectOptions): Promise<Record<string, unknown>> {
  const { headers } = await app.inject(call)
  const entries = Object.entries(headers).filter(([name]) => /^access-control-(?!max-age)/.test(name))
  return Object.fromEntries(entries.map(([name, value]) => [name.replace('access-control-allow-', ''), value]))
}
