/** A typed caller for any route of the table. */
import { z } from 'zod'
import { readLeniently } from './lenient-answer.ts'
import { type Problem, problem } from './problem.ts'
import type { AnswerOf, BodyGiven, ParamsOf, QueryGiven, Route } from './route.ts'
import { type RouteName, type Routes, routes } from './routes.ts'

/** Thrown when the server refuses a call; `problem` says why. */
export class ProblemError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
  }
  /** The refusal's code, such as `room-busy`. */
  get code(): string {
    return this.problem.type.replace('urn:roomkeeper:', '')
  }
}

type Part<Name extends string, Value> = undefined extends Value ? { [K in Name]?: undefined } : { [K in Name]: Value }
type QueryPart<Value> = Value extends undefined
  ? { query?: undefined }
  : Record<string, never> extends Value
    ? { query?: Value }
    : { query: Value }

export type CallInput<R extends Route> = Part<'params', ParamsOf<R>> &
  QueryPart<QueryGiven<R>> &
  Part<'body', BodyGiven<R>> & { headers?: Record<string, string>; signal?: AbortSignal }

export interface Connection {
  /** Such as `http://127.0.0.1:8080`; empty in the browser. */
  base: string
  token: () => string | null
  /** What answers a call that needs a session while there is no token. Without it, the server is asked. */
  withoutToken?: () => Response
  fetch?: typeof fetch
}

export type Answer<Name extends RouteName> = AnswerOf<Routes[Name]>

export interface Client {
  /** Calls and decodes. @throws {ProblemError} when the server refuses, TypeError when it cannot be reached. */
  call<Name extends RouteName>(name: Name, input: CallInput<Routes[Name]>): Promise<Answer<Name>>
  /** The raw answer, for streams. */
  open<Name extends RouteName>(name: Name, input: CallInput<Routes[Name]>): Promise<Response>
}

/** Of bodies that hold only what changes: a server that would fill in the rest refuses it. */
export const partialMediaType = 'application/merge-patch+json'

export function createClient(connection: Connection): Client {
  const open: Client['open'] = async (name, input) => {
    const route: Route = routes[name]
    // Nothing is awaited before this: a call that ends the session is made just before its token is forgotten.
    const headers = headersOf(connection, input as LooseInput)
    if (route.partial === true) headers['content-type'] = partialMediaType
    if (connection.token() === null && route.access !== 'public' && connection.withoutToken !== undefined)
      throw await problemOf(connection.withoutToken())
    const response = await (connection.fetch ?? fetch)(connection.base + urlOf(route, input as LooseInput), {
      method: route.method,
      headers,
      body: bodyOf(route, input as LooseInput),
      signal: input.signal ?? null,
    })
    if (!response.ok) throw await problemOf(response)
    return response
  }
  return {
    open,
    async call(name, input) {
      const response = await open(name, input)
      const schema = (routes[name] as Route).answers[response.status as 200 | 202 | 204]
      const body = schema === undefined || schema === true ? undefined : read(schema, await response.json())
      return { status: response.status, body } as Answer<typeof name>
    },
  }
}

function read(schema: z.ZodType, answer: unknown): unknown {
  const found = z.safeDecode(schema, answer)
  return found.success ? found.data : readLeniently(schema, answer)
}

interface LooseInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}

function urlOf(route: Route, input: LooseInput): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  )
  if (route.query === undefined || input.query === undefined) return path
  const wire = new URLSearchParams(toWire(route.query, input.query) as Record<string, string>)
  return wire.size === 0 ? path : `${path}?${wire}`
}

function headersOf(connection: Connection, input: LooseInput): Record<string, string> {
  const token = connection.token()
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...input.headers,
  }
}

function bodyOf(route: Route, input: LooseInput): string | null {
  return input.body === undefined || route.body === undefined ? null : JSON.stringify(toWire(route.body, input.body))
}

/** The error for an unsuccessful answer, whether or not the answer holds a problem document. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const found = problem.safeParse(await response.json().catch(() => null))
  if (found.success) return new ProblemError(found.data)
  const { status, statusText, url } = response
  return new ProblemError({
    type: 'about:blank',
    title: statusText,
    status,
    detail: `The server answered ${status} ${statusText}.`,
    instance: url,
    params: {},
  })
}

/** Encodes each given field by itself, so that fields with a default may be left out. */
function toWire(schema: z.ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return z.encode(schema, value)
  const given = Object.entries(value).filter(([key, each]) => each !== undefined && Object.hasOwn(schema.shape, key))
  return Object.fromEntries(given.map(([key, each]) => [key, toWire(schema.shape[key] as z.ZodType, each)]))
}
