/** The HTTP server of a region: the protocol, the data plane, the health check, and the answers to failures. */
import { STATUS_CODES } from 'node:http'
import { type RegionProblem, regionBasePath, regionRoutes } from '@roomkeeper/region-protocol'
import { traceFields, traceFieldsOf } from '@roomkeeper/tracing'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { registerDataPlane } from '#data-plane/data-plane.ts'
import { databaseHandlers } from '#databases/database-handlers.ts'
import { registerFaults } from '#faults/faults.ts'
import { fileHandlers, takeFilesAsStreams } from '#files/file-handlers.ts'
import type { FileStore } from '#files/file-store.ts'
import { createUploadTickets } from '#files/upload-tickets.ts'
import { jobHandlers } from '#jobs/job-handlers.ts'
import type { Jobs } from '#jobs/jobs.ts'
import { problemOf, Refusal, refusalOfError } from '#refusals.ts'
import type { Region } from '#region.ts'
import { roomHandlers } from '#rooms/room-handlers.ts'
import { routeHandlers } from '#routes/route-handlers.ts'
import { sessionHandlers } from '#sessions/session-handlers.ts'
import { registerHandlers } from './handlers.ts'
import { limitBodies } from './limit-bodies.ts'
import { clientLimits } from './limit-clients.ts'
import { createSignIn } from './sign-in.ts'
import { describeRegion } from './status.ts'

export interface RegionServices {
  region: Region
  files: FileStore
  jobs: Jobs
}

export function createServer({ region, files, jobs }: RegionServices): FastifyInstance {
  const app = fastify({
    logger: { level: 'warn', mixin: () => traceFields() },
    http: clientLimits(region.settings),
    // When closing, Fastify waits for requests under way, but not for idle connections.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 400 },
    frameworkErrors: answerError,
  })
  limitBodies(app)
  if (region.settings.faults) registerFaults(app)
  endConnectionsWhenClosing(app)
  takeJson(app)
  takeFilesAsStreams(app)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_, reply) => sendProblem(reply, problemOf('no-such-call')))
  app.get('/healthz', () => ({ status: 'ok' }))
  const signIn = createSignIn(region.settings)
  const tickets = createUploadTickets()
  registerHandlers(
    app,
    { signIn, tickets },
    {
      signIn: ({ body, request }) => signIn.open(body, request.ip),
      status: () => describeRegion(region),
      ...roomHandlers(region),
      ...databaseHandlers(region),
      ...sessionHandlers(region),
      ...routeHandlers(region),
      ...fileHandlers(region, files, tickets),
      ...jobHandlers(jobs, files),
      raiseFences: ({ body: { fences } }) => region.reserve.forDeletionSync(() => region.fences.raise(fences)),
    },
  )
  registerDataPlane(app, region)
  return app
}

/** A connection that stays open after its last answer would keep the server from ending. */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}

/**
 * Like Fastify's parser, but an empty body counts as none: some clients send JSON's content type with every request.
 */
function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, String(body), done),
  )
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const status = error.statusCode ?? 500
  if (!(error instanceof Refusal) && status >= 400 && status < 500) {
    // A client that is still sending must be able to read the answer: limit-bodies.ts reads the rest for a while.
    if (status === 413) reply.removeHeader('connection')
    sendProblem(reply, problemOfClientError(error, status, request.routeOptions.url))
    return
  }
  const { problem } = refusalOfError(error)
  // A client that disconnected is not an error.
  if (problem.status === 500 && !request.socket.destroyed)
    request.log.error({ err: error, ...traceFieldsOf(request.headers.traceparent) }, 'a call failed')
  sendProblem(reply, problem)
}

const urlOfUpload = regionBasePath + regionRoutes.putFile.path

/** @param url that of the route */
function problemOfClientError(error: FastifyError, status: number, url: string | undefined): RegionProblem {
  if (status === 413) return problemOf('too-large')
  if (status === 415)
    return problemOf('wrong-media-type', {
      expected: url === urlOfUpload ? 'application/octet-stream' : 'application/json',
    })
  const problem = problemOf('malformed', { reason: error.message })
  return { ...problem, status, title: STATUS_CODES[status] ?? problem.title }
}

function sendProblem(reply: FastifyReply, problem: RegionProblem): void {
  void reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}
