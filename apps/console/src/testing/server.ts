/**
 * Stands in for the server, at the edge of the network: `fetch` is answered by the route table of the contract, with
 * what a test gives. Types and schemas of the contract check both the calls of the console and the answers.
 */
import {
  type Answer,
  type BodyOf,
  fillInValues,
  type ParamsOf,
  type QueryOf,
  type RefusalCode,
  type Route,
  type RouteName,
  type Routes,
  refusals,
  routes,
  type ServerEvent,
} from '@roomkeeper/contract'
import { waitFor } from '@testing-library/react'
import { vi } from 'vitest'
import { z } from 'zod'

interface Call<Name extends RouteName> {
  params: ParamsOf<Routes[Name]>
  query: QueryOf<Routes[Name]>
  body: BodyOf<Routes[Name]>
}
/** A `Response` is for refusals, failures and streams. */
type Reply<Name extends RouteName> = Answer<Name> | Response
export type Replies = { [Name in RouteName]?: (call: Call<Name>) => Reply<Name> | Promise<Reply<Name>> }
type AnyReply = (call: object) => Promise<Response | { status: 200 | 202 | 204; body?: unknown }>

let replies: Replies = {}
let calls: { name: RouteName; query: unknown; body: unknown }[] = []
let unanswered: string[] = []
let streams: ReadableStreamDefaultController<Uint8Array>[] = []
let lastEvent = 1

/** From now on these routes are answered so; the others as before. */
export function reply(more: Replies): void {
  replies = { ...replies, ...more }
}

/** The names of the calls made so far. */
export function namesOfCalls(): RouteName[] {
  return calls.map(({ name }) => name)
}

/** What the calls of a route have sent so far. */
export function bodiesOf<Name extends RouteName>(name: Name): BodyOf<Routes[Name]>[] {
  return calls.filter((call) => call.name === name).map(({ body }) => body as BodyOf<Routes[Name]>)
}

export function ok<Body>(body: Body): { status: 200; body: Body } {
  return { status: 200, body }
}

/** @param more members of the answer beside its code */
export function refused(code: RefusalCode, params: Record<string, string | number> = {}, more: object = {}): Response {
  const { status, title, detail } = refusals[code]
  const problem = { type: `urn:roomkeeper:${code}`, title, status, detail: fillInValues(detail, params) }
  return Response.json({ ...problem, instance: '', params, ...more }, { status })
}

/** Tells the console of something that has happened, as soon as it listens. */
export async function tell(event: ServerEvent): Promise<void> {
  await waitFor(() => {
    if (streams.length === 0) throw new Error('The console does not follow the events.')
  })
  lastEvent += 1
  const message = `id: 1-${lastEvent}\ndata: ${JSON.stringify(event)}\n\n`
  for (const stream of streams) stream.enqueue(new TextEncoder().encode(message))
}

/** Forgets what a test has given. @returns the calls for which it gave no answer */
export function restart(first: Replies): string[] {
  const missing = unanswered
  replies = { events: followed, ...first }
  calls = []
  unanswered = []
  streams = []
  return missing
}

function followed(): Response {
  return new Response(new ReadableStream({ start: (stream) => void streams.push(stream) }))
}

vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
  const url = new URL(input, location.origin)
  const { method = 'GET', body, signal } = init
  const found = routeOf(method, url.pathname)
  if (found === null) throw new Error(`The contract has no route ${method} ${url.pathname}.`)
  const { name, route, params } = found
  const call = {
    params: read(route.params, params),
    query: read(route.query, Object.fromEntries(url.searchParams)),
    body: read(route.body, typeof body === 'string' ? JSON.parse(body) : undefined),
  }
  calls.push({ name, ...call })
  const given = replies[name] as AnyReply | undefined
  if (given === undefined) unanswered.push(name)
  const answer = given === undefined ? new Response(null, { status: 501 }) : await given(call)
  signal?.throwIfAborted()
  const response = answer instanceof Response ? answer : written(route, answer)
  response.headers.set('x-last-event-id', '1-1')
  return response
})

function written(route: Route, { status, body }: { status: 200 | 202 | 204; body?: unknown }): Response {
  const schema = route.answers[status]
  return schema instanceof z.ZodType
    ? Response.json(z.encode(schema, body), { status })
    : new Response(null, { status })
}

function read(schema: z.ZodType | undefined, given: unknown): unknown {
  return schema === undefined ? undefined : z.decode(schema, given)
}

function routeOf(method: string, path: string) {
  for (const [name, route] of Object.entries<Route>(routes)) {
    const pattern = new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const match = route.method === method ? pattern.exec(path) : null
    if (match !== null) return { name: name as RouteName, route, params: { ...match.groups } }
  }
  return null
}
