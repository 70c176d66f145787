/** The OpenAPI document, which describes the wire to other programs. */
import {
  type Route,
  refusals,
  refusalsOf,
  routes,
  type WebhookMessage,
  webhookBody,
  webhookData,
  webhookEvents,
  webhookTestEvent,
} from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

interface Content {
  'application/json'?: { schema: { $ref?: string }; example: unknown }
}
interface Described {
  properties?: unknown
  additionalProperties?: unknown
  oneOf?: Described[]
}
interface Call {
  summary?: string
  tags?: string[]
  parameters: { name: string; schema: { type?: string } }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
interface Description {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Call>>
  webhooks: Record<string, { post: Call }>
  components: { schemas: Record<string, unknown> }
}

let network: Network
let description: Description
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
  description = (await (await fetch(`${network.server.address}/api/openapi.json`)).json()) as Description
})
afterAll(() => network?.stop())

const all: [string, Route][] = Object.entries(routes)

function callOf({ path, method }: Route): Call | undefined {
  return description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

// shows: openapi
it.each(all)('the OpenAPI document describes %s with its answers', (_, route) => {
  const call = callOf(route)
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

// shows: openapi-clean
it.each(all)('the examples of %s are what the server takes and answers', (_, route) => {
  const call = callOf(route)
  const body = call?.requestBody?.content['application/json']
  expect(body === undefined).toBe(route.body === undefined)
  if (route.body !== undefined) expect(z.safeDecode(route.body, body?.example).error).toBeUndefined()
  for (const [status, schema] of Object.entries(route.answers)) {
    if (schema === true || route.stream !== undefined) continue
    const example = call?.responses[status]?.content?.['application/json']?.example
    expect(z.safeDecode(schema as z.ZodType, example).error).toBeUndefined()
  }
})

// shows: openapi-clean
it.each(all)('%s says how it can be refused', (_, route) => {
  const statuses = refusalsOf(route).map((code) => String(refusals[code].status))
  expect(Object.keys(callOf(route)?.responses ?? {})).toEqual(expect.arrayContaining([...statuses, 'default']))
  expect(statuses).toContain('400')
  if (route.access !== 'public') expect(statuses).toContain('401')
})

// shows: openapi-clean
it('calls are sorted by nouns, and bodies of objects have names', () => {
  const tags = description.tags.map(({ name }) => name)
  for (const [, route] of all) {
    const { tags: [tag] = [], requestBody } = callOf(route) ?? {}
    expect(tags).toContain(tag)
    const schema = requestBody?.content['application/json']?.schema
    if (schema !== undefined) expect(schema.$ref).toMatch(/^#\/components\/schemas\/\w+$/)
  }
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining(['ProjectRoom', 'RoomDraft', 'Region', 'LiveMigration', 'Problem']),
  )
})

it('bodies take no other fields than they name, and answers may hold more', () => {
  const { schemas } = description.components as { schemas: Record<string, Described> }
  const { RoomDraft: draft, LicenceInformation: answered, LicenceInformationSent: sent, ProjectRoom: room } = schemas
  expect([draft, sent, room, answered].map((each) => each?.additionalProperties)).toEqual([
    false,
    false,
    undefined,
    undefined,
  ])
  expect(draft?.properties).toMatchObject({
    creationDate: { readOnly: true },
    tenantName: { $ref: '#/components/schemas/RoomName' },
  })
  for (const [, route] of all.filter(([, { body }]) => body !== undefined)) {
    const ref = callOf(route)?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
    const { oneOf: choices = [schemas[ref]] } = schemas[ref] ?? {}
    for (const choice of choices) expect(choice).toMatchObject({ additionalProperties: false })
  }
})

// shows: openapi-clean
it('parameters have the types that they mean', () => {
  const types = Object.fromEntries(
    (callOf(routes.listRooms)?.parameters ?? []).map(({ name, schema }) => [name, schema.type]),
  )
  expect(types).toMatchObject({ page: 'integer', size: 'integer', filter_keys: 'array', order_by: 'string' })
})

it('what webhooks are sent is described for every event, with an example that is one', () => {
  expect(Object.keys(description.webhooks)).toEqual(Object.keys(webhookData))
  expect(Object.keys(description.webhooks)).toEqual([...webhookEvents, webhookTestEvent])
  for (const [type, { post }] of Object.entries(description.webhooks)) {
    const { example } = post.requestBody?.content['application/json'] ?? {}
    expect(webhookBody(type as WebhookMessage).safeParse(example).error).toBeUndefined()
    expect(example).toMatchObject({ type })
  }
})

it('the API reference costs a process next to nothing, however often it is asked for', async () => {
  const address = `${network.server.address}/api/reference/swagger-ui-bundle.js`
  const cpuSeconds = async () => {
    const text = await (await fetch(`${network.server.address}/metrics`)).text()
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
  }
  const asked = async () => {
    const answer = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
    return [answer.status, answer.headers.get('content-encoding'), (await answer.text()).length > 1_000_000]
  }
  expect(await asked()).toEqual([200, 'gzip', true])
  const before = await cpuSeconds()
  for (let calls = 0; calls < 30; calls += 1) expect(await asked()).toEqual([200, 'gzip', true])
  expect((await cpuSeconds()) - before).toBeLessThan(0.5)
  expect((await fetch(address, { method: 'HEAD' })).status).toBe(404)
  const plain = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), (await plain.text()).length > 1_000_000]).toEqual([null, true])
  const tag = plain.headers.get('etag') ?? ''
  expect((await fetch(address, { headers: { 'if-none-match': tag } })).status).toBe(304)
})
