/** The HTTP server: routes of the contract, the built console with history fallback, health, OpenAPI. */
import helmet from '@fastify/helmet'
import { partialMediaType } from '@roomkeeper/contract'
import { traceFields } from '@roomkeeper/tracing'
import Fastify, { type FastifyInstance } from 'fastify'
import { type HealthParts, registerHealth } from '#health/index.ts'
import type { Gate } from '#operators/index.ts'
import type { Handlers } from '#platform/http/handler.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/refuse.ts'
import { serveComponentFrame } from './component-frame.ts'
import { type ClientTimeouts, connectionOptions, limitBodies } from './connections.ts'
import { type AnswerError, createErrorHandler, pathWithoutSecrets } from './error-handler.ts'
import { describeApi } from './openapi/describe-api.ts'
import { registerRoutes } from './register-routes.ts'
import { type ConsoleFiles, serveConsole } from './serve-console.ts'
import { serveReference } from './serve-reference.ts'
import { traceCalls } from './trace-calls.ts'

export interface HttpAppDeps extends ClientTimeouts, ConsoleFiles {
  handlers: Handlers
  gate: Gate
  isDrill: boolean
  log: Log
  /** The number or the addresses of the proxies that are trusted to tell the client's address. */
  trustProxy: number | string[]
  /** JSON files for the console, each at its path. */
  languages: readonly { path: string; words: string }[]
  /** Other origins that the console calls, such as the identity provider's. */
  askedByBrowsers: readonly string[]
  /** A script of another origin, which runs in a frame of the customer-facing pages only. */
  customerComponentUrl: string | undefined
  health: HealthParts
}

export interface HttpApp {
  /** @returns the address, such as `http://127.0.0.1:8080` */
  listen(host: string, port: number): Promise<string>
  close(graceSeconds: number): Promise<void>
}

export async function createHttpApp(deps: HttpAppDeps): Promise<HttpApp> {
  const answerError = createErrorHandler(deps.log)
  const app = Fastify({
    logger: false,
    ...connections(deps, answerError),
    bodyLimit: 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.setErrorHandler(answerError)
  traceCalls(app)
  limitBodies(app)
  acceptJsonAlone(app)
  const requests = countRequests(app)
  logRequests(app, deps.log)
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurity(deps.askedByBrowsers),
    strictTransportSecurity: false,
  })
  if (deps.customerComponentUrl !== undefined) serveComponentFrame(app, deps.customerComponentUrl)
  await registerRoutes(app, deps.handlers, deps.gate, deps.isDrill)
  registerHealth(app, deps.health)
  // Created on the first request, which few processes ever get: it takes 0.1 s and some memory.
  let description: string | undefined
  app.get('/api/openapi.json', async (_, reply) => {
    description ??= JSON.stringify(describeApi(deps.publicPath))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  serveReference(app, deps.publicPath)
  for (const { path, words } of deps.languages) {
    app.get(path, async (_, reply) => {
      return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(words)
    })
  }
  await serveConsole(app, deps)
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: (graceSeconds) => closeGracefully(app, requests, graceSeconds),
  }
}

/** An app with only health and metrics. No proxy stands before it. */
export async function createHealthApp(
  deps: Pick<HttpAppDeps, 'health' | 'log' | 'requestTimeoutSeconds' | 'answerTimeoutSeconds'>,
): Promise<HttpApp> {
  const answerError = createErrorHandler(deps.log)
  const app = Fastify({
    logger: false,
    ...connections({ ...deps, trustProxy: 0 }, answerError),
  })
  app.setErrorHandler(answerError)
  limitBodies(app)
  app.setNotFoundHandler(async () => {
    throw refuse('no-such-call')
  })
  const requests = countRequests(app)
  logRequests(app, deps.log)
  registerHealth(app, deps.health)
  return {
    listen: (host, port) => app.listen({ host, port }),
    close: (graceSeconds) => closeGracefully(app, requests, graceSeconds),
  }
}

/** Options that say how requests are accepted, identified, and refused before they reach a route. */
function connections(deps: Pick<HttpAppDeps, 'trustProxy' | keyof ClientTimeouts>, answerError: AnswerError) {
  return {
    ...connectionOptions(deps),
    trustProxy: asTrust(deps.trustProxy),
    frameworkErrors: answerError,
  }
}

function asTrust(trusted: number | string[]) {
  return typeof trusted === 'number' ? (_: string, hop: number) => hop < trusted : trusted
}

/** Only JSON is read, but many clients send its content type without a body. */
function acceptJsonAlone(app: FastifyInstance): void {
  // Fastify also reads text/plain, which would reach the schemas as a text.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    ['application/json', partialMediaType],
    { parseAs: 'string' },
    (request, body, done) => {
      const isPartial = request.headers['content-type']?.startsWith(partialMediaType) === true
      if (isPartial && request.routeOptions.config.contract?.partial !== true)
        done(refuse('wrong-media-type', { expected: 'application/json' }))
      else if (body === '') done(null, undefined)
      else void parse(request, body, done)
    },
  )
}

/** Counts running requests, including those whose client has disconnected until the handler notices. */
function countRequests(app: FastifyInstance): () => number {
  let underWay = 0
  app.addHook('onRequest', async (_, reply) => {
    underWay += 1
    reply.raw.once('close', () => {
      underWay -= 1
    })
  })
  return () => underWay
}

/** Waits up to `graceSeconds` for running requests; closes idle connections at once. */
async function closeGracefully(app: FastifyInstance, requests: () => number, graceSeconds: number): Promise<void> {
  const deadline = performance.now() + graceSeconds * 1000
  const looking = setInterval(() => {
    if (requests() === 0 || performance.now() > deadline) app.server.closeAllConnections()
  }, 50)
  await app.close()
  clearInterval(looking)
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        path: pathWithoutSecrets(request.url),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        ...traceFields(request.span),
      },
      'request',
    )
  })
}

/** What pages of the console may load: nothing from other origins. @param called origins that scripts may call */
function contentSecurity(called: readonly string[]) {
  const from = ["'self'"]
  return {
    useDefaults: false,
    directives: {
      defaultSrc: from,
      scriptSrc: from,
      // Mantine sets its sizes as style attributes.
      styleSrc: [...from, "'unsafe-inline'"],
      imgSrc: [...from, 'data:'],
      fontSrc: from,
      connectSrc: [...from, ...called],
      objectSrc: ["'none'"],
      baseUri: from,
      formAction: from,
      frameAncestors: ["'none'"],
    },
  }
}
