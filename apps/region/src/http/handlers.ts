/** Registers the protocol's routes: authorises and parses each request, and passes the typed call to its handler. */
import {
  fenceOfHeaders,
  type RegionAnswer,
  type RegionBody,
  type RegionParams,
  type RegionQuery,
  type RegionRoute,
  type RegionRouteName,
  type RegionRoutes,
  regionBasePath,
  regionRoutes,
  ticketOfHeader,
} from '@roomkeeper/region-protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ZodType, z } from 'zod'
import type { Fence } from '#fences.ts'
import { admitTicket } from '#files/announced-upload.ts'
import type { UploadTickets } from '#files/upload-tickets.ts'
import { refuse } from '#refusals.ts'
import { inCall } from '#trace-work.ts'
import { admit, bodyLimitWithoutSession } from './limit-bodies.ts'
import type { SignIn } from './sign-in.ts'

interface Call<R extends RegionRoute> {
  params: RegionParams<R>
  query: RegionQuery<R>
  body: RegionBody<R>
  /** The worker's fence, in calls that change something. The handler admits it under the mutex of what it changes. */
  fence: Fence | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** A handler returns the answer's body, nothing, or the reply if it has sent a stream itself. */
type Returned<R extends RegionRoute> = R['answer'] extends 'stream'
  ? FastifyReply
  : R['answer'] extends 'nothing'
    ? unknown
    : RegionAnswer<R>
type Handler<R extends RegionRoute> = (call: Call<R>) => Returned<R> | Promise<Returned<R>>
export type Handlers<Names extends RegionRouteName = RegionRouteName> = { [N in Names]: Handler<RegionRoutes[N]> }

/** Who may call: a caller with a session or, for some calls, with a ticket. */
interface Admission {
  signIn: SignIn
  tickets: UploadTickets
}

export function registerHandlers(app: FastifyInstance, admission: Admission, handlers: Handlers): void {
  for (const [name, route] of Object.entries(regionRoutes) as [RegionRouteName, RegionRoute][]) {
    const handle = handlers[name] as (call: Call<RegionRoute>) => unknown
    app.route({
      method: route.method,
      url: regionBasePath + route.path,
      // Fastify would read the whole file to nowhere, whether the connection is still there or not.
      exposeHeadRoute: route.answer !== 'stream',
      ...(route.public
        ? { bodyLimit: bodyLimitWithoutSession }
        : { onRequest: async (request) => enter(admission, route, request) }),
      handler: async (request, reply) => {
        const call = () => handle({ ...parsedCall(route, request), request, reply })
        const answer = await inCall(route, request.headers, call)
        if (route.answer === 'nothing') return reply.code(204).send()
        return answer
      },
    })
  }
}

function enter({ signIn, tickets }: Admission, route: RegionRoute, { headers, params, raw }: FastifyRequest): void {
  const ticket = ticketOf(route, headers)
  if (ticket === null) signIn.authorise(headers.authorization)
  else admitTicket(tickets, ticket, (params as { id: string }).id, raw)
  admit(raw)
}

/** The ticket that the request is admitted by, if it is not by a session. */
function ticketOf(route: RegionRoute, headers: FastifyRequest['headers']): string | null {
  return route.takesTicket ? ticketOfHeader(headers.authorization) : null
}

function parsedCall(route: RegionRoute, request: FastifyRequest) {
  return {
    params: parse(route.params, request.params),
    query: parse(route.query, request.query),
    body: parse(route.body, request.body),
    // A caller with a ticket is not a worker, and must not cause the calls of operations to be refused.
    fence: route.changes && ticketOf(route, request.headers) === null ? fenceOf(request) : undefined,
  } as Omit<Call<RegionRoute>, 'request' | 'reply'>
}

function parse(schema: ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const found = schema.safeParse(value)
  if (found.success) return found.data
  throw refuse('invalid-input', { reason: firstIssue(found.error) })
}

function fenceOf(request: FastifyRequest): Fence | undefined {
  try {
    return fenceOfHeaders(request.headers)
  } catch (error) {
    if (error instanceof z.ZodError) throw refuse('invalid-input', { reason: firstIssue(error) })
    throw error
  }
}

/** Such as `licences.0.licenseAmount: expected number`. */
function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'The request is not valid.'
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}
