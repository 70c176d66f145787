/** Registers every route of the contract: reads the input, checks the caller, answers in wire form. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  errorsAtMost,
  type FieldError,
  fieldError,
  fieldErrorsOf,
  type Route,
  type RouteName,
  routes,
  unknownFields,
} from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Gate } from '#operators/index.ts'
import {
  asAttachment,
  type Call,
  type Caller,
  type Handlers,
  type IncomingUpload,
  type SharedText,
  type StreamReply,
} from '#platform/http/handler.ts'
import { Refusal, refuse, refuseInput } from '#platform/refuse.ts'
import { admit, bodyLimitWithoutSession, longBodyLimit } from './connections.ts'
import { encodeAnswer } from './encode-answer.ts'

type LooseReply =
  | {
      status: 200 | 202 | 204
      body?: unknown
      file?: { name: string }
      headers?: Record<string, string>
      shared?: SharedText
    }
  | StreamReply
type LooseHandler = (call: Call<Route>) => Promise<LooseReply>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    contract?: Route
  }
}

export async function registerRoutes(
  app: FastifyInstance,
  handlers: Handlers,
  gate: Gate,
  isDrill: boolean,
): Promise<void> {
  app.decorateRequest('caller', undefined)
  const longCalls = createLongCallLimit()
  const doorOf = (name: RouteName, route: Route) => ({
    gate,
    longCalls,
    isChange: changesSomething(name, route),
    isDrill,
  })
  const all = (Object.keys(routes) as RouteName[]).map((name) => [name, routes[name] as Route] as const)
  for (const [name, route] of all.filter(([, { upload }]) => upload === undefined)) {
    registerRoute(app, route, handlers[name], doorOf(name, route))
  }
  await app.register((scope, _, done) => {
    acceptUnparsedBodies(scope)
    for (const [name, route] of all.filter(([, { upload }]) => upload !== undefined)) {
      registerRoute(scope, route, handlers[name], doorOf(name, route))
    }
    done()
  })
}

interface Door {
  gate: Gate
  longCalls: LongCallLimit
  isChange: boolean
  isDrill: boolean
}

function registerRoute(
  app: FastifyInstance,
  route: Route,
  handler: unknown,
  { gate, longCalls, isChange, isDrill }: Door,
): void {
  const handle = handler as LooseHandler
  async function notingRefusal<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { caller, id: requestId } = request
      if (caller !== undefined && isChange && isAboutRights(error))
        await gate.noteRefusedChange({ caller, call: `${route.method} ${route.path}`, requestId })
      throw error
    }
  }
  app.route({
    method: route.method,
    url: route.path,
    config: { contract: route },
    ...bodyLimitOf(route),
    // Looking at a link that is good for one use would use it up.
    exposeHeadRoute: !usesTicketUp(route),
    // Checked before the body is read: callers without a session cannot make the server read anything.
    onRequest: async (request, reply) => {
      if (isDrill && isChange) throw refuse('drill')
      if (route.access === 'public') return
      const { operatorId } = await notingRefusal(request, () => enter(gate, route, request))
      if (route.longBody === true) longCalls.enter(operatorId, request.raw, reply.raw)
      admit(request.raw)
    },
    handler: async (request, reply) => {
      const call = readCall(route, request, reply)
      if (route.upload !== undefined) watchTransfer(gate, request, reply, request.caller)
      const answer = await notingRefusal(request, () => handle(call))
      if ('stream' in answer && !isEventStream(route))
        watchTransfer(gate, request, reply, answer.caller ?? request.caller)
      return send(route, request, reply, answer)
    },
  })
}

/** Exports by ticket. Links to backups can be followed again, to resume. */
function usesTicketUp({ stream, access }: Route): boolean {
  return stream === 'text/csv; charset=utf-8' && access === 'public'
}

function bodyLimitOf({ access, longBody }: Route): { bodyLimit?: number } {
  if (access === 'public') return { bodyLimit: bodyLimitWithoutSession }
  return longBody === true ? { bodyLimit: longBodyLimit } : {}
}

/** Leaves bodies of any type unread: the handlers of uploads read them. */
function acceptUnparsedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_, __, done) => done(null))
}

const indentOfFiles = 4

async function enter(gate: Gate, route: Route, request: FastifyRequest): Promise<Caller> {
  const background = isEventStream(route) || request.headers['x-background'] === '1'
  const call = { background, address: request.ip, requestId: request.id }
  const caller = await gate.authenticate(bearerToken(request), call)
  request.caller = caller
  if (caller.token !== null && route.sessionOnly === true) throw refuse('session-needed')
  if (caller.awaitsSecondFactor && route.beforeSecondFactor !== true) throw refuse('second-factor-missing')
  if (!roleAllows(caller.role, route.access)) throw refuse('not-allowed')
  return caller
}

/** Whether a call was refused because of the caller's role, or because API tokens may not make it. */
function isAboutRights(error: unknown): boolean {
  return error instanceof Refusal && ['not-allowed', 'session-needed'].includes(error.code)
}

function isEventStream({ stream }: Route): boolean {
  return stream === 'text/event-stream; charset=utf-8'
}

function watchTransfer(
  gate: Gate,
  { ip: address }: FastifyRequest,
  { raw }: FastifyReply,
  caller: Caller | undefined,
): void {
  if (caller === undefined || raw.closed) return
  raw.once('close', gate.watch({ caller, address, end: () => raw.destroy() }))
}

function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

function readCall(route: Route, request: FastifyRequest, reply: FastifyReply): Call<Route> {
  const errors: FieldError[] = []
  const call = {
    params: decoded(route.params, request.params, errors),
    query: decoded(route.query, request.query, errors),
    body: decoded(route.body, request.body ?? {}, errors),
    caller: request.caller,
    requestId: request.id,
    address: request.ip,
    upload: route.upload === undefined ? undefined : incomingUpload(request),
    header: (name: string) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    // Few handlers ask for it, and to fire it costs more than to read the call.
    get signal() {
      return goneSignal(reply)
    },
  }
  if (errors.length > 0) throw refuseInput(errors)
  return call as Call<Route>
}

function incomingUpload({ raw, headers }: FastifyRequest): IncomingUpload {
  const length = headers['content-length']
  return {
    contentType: headers['content-type'],
    contentLength: length === undefined ? null : Number(length),
    content: raw,
  }
}

function decoded(schema: z.ZodType | undefined, given: unknown, errors: FieldError[]): unknown {
  const unknown = unknownFields(schema, given)
  errors.push(...unknown)
  if (schema === undefined) return undefined
  const read = z.safeDecode(schema, given)
  const wrong = read.success ? unstorableTexts(read.data) : fieldErrorsOf(read.error)
  // A choice that has an unknown field is wrong as a whole; the field says more.
  errors.push(...wrong.filter((error) => !unknown.some(({ field }) => field.startsWith(`${error.field}.`))))
  if (read.success) return read.data
  return undefined
}

/** Fires when the answer has been sent or the client is gone. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.closed) gone.abort()
  else reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function send(route: Route, request: FastifyRequest, reply: FastifyReply, answer: LooseReply): unknown {
  reply.code(answer.status)
  if ('stream' in answer) {
    reply.headers({ 'content-type': route.stream ?? route.download, 'x-accel-buffering': 'no', ...answer.headers })
    if (request.method !== 'HEAD') return reply.send(answer.stream)
    answer.stream.destroy()
    // An answer without any body would get `content-length: 0` from Fastify, so an empty stream is sent.
    return reply.send(Readable.from([]))
  }
  const schema = route.answers[answer.status]
  if (schema === undefined || schema === true) return reply.send()
  reply.headers({ 'content-type': 'application/json; charset=utf-8', ...answer.headers })
  const text = (indent?: number) => JSON.stringify(encodeAnswer(schema, answer.body), null, indent)
  if (answer.shared !== undefined) {
    answer.shared.text ??= Buffer.from(text())
    return reply.send(answer.shared.text)
  }
  if (answer.file === undefined) return reply.send(text())
  reply.headers(asAttachment(answer.file.name))
  return reply.send(text(indentOfFiles))
}

/** The calls that are no GET and change nothing but the caller's own session, or make a link for a download. */
const reading: ReadonlySet<RouteName> = new Set<RouteName>([
  'signIn',
  'checkSession',
  'permissions',
  'signOut',
  'completeSecondFactor',
  'listRooms',
  'createRoomsTicket',
  'createBulkItemsTicket',
  'createBackupTicket',
  'createAuditTicket',
  'createMigrationLogsTicket',
  'preflightBulk',
  'preflightLiveMigration',
  'migrationRooms',
  'migrationStates',
  'findCustomerRoom',
])

/** Deletes, although it is a GET. */
const changing: ReadonlySet<RouteName> = new Set<RouteName>(['deleteUser'])

/**
 * A drill (PROCESS=drill), which shows what a restored database holds beside the console in production, refuses these
 * calls; the audit trail has those that the caller's role does not allow.
 */
function changesSomething(name: RouteName, { method }: Route): boolean {
  return changing.has(name) || (method !== 'GET' && !reading.has(name))
}

interface LongCallLimit {
  /** Before the body is read; the place is free again when the call is over. @throws Refusal `too-many-long-calls` */
  enter(operatorId: string, request: IncomingMessage, reply: ServerResponse): void
}

const maxCallsOfOperator = 2
/** Bytes; about 3,000 names of project rooms. Shorter bodies take as little time as any call. */
const minLongBody = 64 * 1024

/**
 * Limits how many calls with a long body each operator has under way in this process: to read such a body keeps all
 * others waiting for some hundredths of a second.
 */
function createLongCallLimit(): LongCallLimit {
  /** The operators whose calls are under way. */
  const underWay: string[] = []
  return {
    enter(operatorId, { headers }, reply) {
      // A body in chunks does not say how long it is.
      if (Number(headers['content-length'] ?? minLongBody) < minLongBody) return
      if (underWay.filter((each) => each === operatorId).length >= maxCallsOfOperator)
        throw refuse('too-many-long-calls', { max: maxCallsOfOperator })
      // A client that is gone does not close again, so its place would never be freed.
      if (reply.closed || reply.destroyed) return
      underWay.push(operatorId)
      reply.once('close', () => underWay.splice(underWay.indexOf(operatorId), 1))
    },
  }
}

/**
 * The texts in a decoded input that no column of the database can keep: with the character U+0000, or with half a
 * character (a lone surrogate). Looked for in one place for all calls, keys of records included.
 * @returns at most `errorsAtMost` errors, each with the path of its field
 */
function unstorableTexts(input: unknown): FieldError[] {
  const errors: FieldError[] = []
  const visit = (value: unknown, field: string): void => {
    if (errors.length >= errorsAtMost) return
    if (typeof value === 'string') {
      if (value.includes('\0')) errors.push(fieldError(field, 'text-has-nul'))
      else if (!value.isWellFormed()) errors.push(fieldError(field, 'text-half-character'))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const path = field === '' ? name : `${field}.${name}`
        visit(name, path)
        visit(inner, path)
      }
    }
  }
  if (holdsUnstorable(input)) visit(input, '')
  return errors
}

/** Without the paths of fields, which take ten times as long: few inputs hold such a text, and some hold 100,000 others. */
function holdsUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(holdsUnstorable)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => holdsUnstorable(name) || holdsUnstorable(inner))
}
