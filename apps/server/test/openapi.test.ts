/** The description of the wire that other programs read. */
import { type Route, routes } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface Description {
  openapi: string
  paths: Record<string, Record<string, { summary?: string; responses: Record<string, unknown> }>>
}

let network: Network
let description: Description
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
  description = (await (await fetch(`${network.server.address}/api/openapi.json`)).json()) as Description
})
afterAll(() => network?.stop())

const all: [string, Route][] = Object.entries(routes)

// shows: openapi
it.each(all)('the OpenAPI document describes %s with its answers', (_, route) => {
  const path = route.path.replace(/:(\w+)/g, '{$1}')
  const call = description.paths[path]?.[route.method.toLowerCase()]
  expect(call?.summary).toBe(route.summary)
  expect(Object.keys(call?.responses ?? {})).toEqual(expect.arrayContaining(Object.keys(route.answers)))
})

// shows: openapi
it('the OpenAPI document holds no call that the route table does not have', () => {
  expect(description.openapi).toMatch(/^3\./)
  const described = Object.entries(description.paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const known = all.map(([, { method, path }]) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
  expect(described.sort()).toEqual(known.sort())
})
