/** /healthz: the process lives. /readyz: it can do its work. /metrics: figures for the permitted hosts. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isThisMachine, isWithin } from '#platform/networks.ts'
import { refuse } from '#platform/refuse.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

export interface HealthParts {
  metrics: Metrics
  readiness(): Promise<Readiness>
  /** Addresses and networks; `*` means every address. */
  metricsHosts: readonly string[]
}

export function registerHealth(app: FastifyInstance, parts: HealthParts): void {
  const mayAsk = admission(parts)
  app.addHook('onResponse', async (request, reply) => {
    parts.metrics.noteCall({
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    })
  })
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    const { ready, checks } = await parts.readiness()
    const answer = { status: ready ? 'ready' : 'not ready', ...checks }
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer)
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayAsk(request)) throw refuse('no-such-call')
    const { text, contentType } = await parts.metrics.read()
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}

/** The path pattern of the route: each path with names and ids would be a time series of its own. */
function routeOf(request: FastifyRequest): string {
  const route = request.routeOptions.url ?? 'none'
  return route.startsWith('/assets/') ? '/assets/*' : route
}

function admission({ metricsHosts }: HealthParts): (request: FastifyRequest) => boolean {
  if (metricsHosts.includes('*')) return () => true
  const isAllowed = isWithin(metricsHosts)
  return (request) => {
    // The request comes through a proxy that is not configured as trusted, so the real client is unknown.
    const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    const isBelieved = (request.ips?.length ?? 1) > 1
    // Nor is it this machine, which asks without a proxy: a caller may have invented that.
    if (isForwarded && (!isBelieved || isThisMachine(request.ip))) return false
    return isAllowed(request.ip)
  }
}
