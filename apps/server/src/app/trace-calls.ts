/** A span for each call of the contract, from its first byte to the end of its answer. */
import { currentSpan, isTracing, type Span, startSpan, withinSpan } from '@roomkeeper/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: the call is not traced. */
    span: Span | null
  }
}

export function traceCalls(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, done) => {
    request.span = spanOf(request)
    if (request.span !== null) endWithAnswer(request.span, reply)
    withinSpan(request.span, done)
  })
  // The body is read in the connection's context, which knows no span.
  app.addHook('preValidation', ({ span }, _, done) => {
    if (span === currentSpan()) done()
    else withinSpan(span, done)
  })
}

/** The event stream lasts as long as a page is open, and is no call that anybody waits for. */
function spanOf({ method, headers, id, routeOptions }: FastifyRequest): Span | null {
  const route = routeOptions.config.contract
  if (route === undefined || route.stream === 'text/event-stream; charset=utf-8') return null
  const { traceparent } = headers
  return startSpan(`${method} ${route.path}`, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    isFromOutside: true,
    // Neither path nor query: some hold tickets or what somebody searches for.
    attributes: { 'http.request.method': method, 'http.route': route.path, 'roomkeeper.request.id': id },
  })
}

function endWithAnswer(span: Span, { raw }: FastifyReply): void {
  raw.once('close', () => {
    span.set({ 'http.response.status_code': raw.statusCode })
    if (raw.statusCode >= 500) span.fail(String(raw.statusCode))
    if (!raw.writableFinished) span.fail('the client was gone before the end of the answer')
    span.end()
  })
}
