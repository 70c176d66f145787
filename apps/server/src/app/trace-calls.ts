/** A span for each call of the contract, from its first byte to the end of its answer. */
import {
  asksForRecording,
  currentSpan,
  isTracing,
  type Span,
  type SpanParts,
  startSpan,
  withinSpan,
} from '@roomkeeper/tracing'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: the call is not traced. */
    span: Span | null
  }
}

/**
 * Only the sampler decides whether a call is recorded; otherwise strangers could have all of theirs recorded. A caller with
 * a session may ask for it with the flag 01.
 */
export function traceCalls(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, done) => {
    request.span = startCallSpan(request, { parentDecides: false })
    if (request.span !== null) endWithAnswer(request, reply)
    withinSpan(request.span, done)
  })
  app.addHook('preParsing', (request, reply, _, done) => {
    const { span, caller, headers } = request
    const isToBeRecorded = caller !== undefined && asksForRecording(headers.traceparent)
    if (span !== null && isToBeRecorded && !asksForRecording(span.traceparent)) {
      span.end()
      request.span = startCallSpan(request, { parentDecides: true, beganAt: Date.now() - reply.elapsedTime })
    }
    done()
  })
  // The body is read in the connection's context, which knows no span.
  app.addHook('preValidation', ({ span }, _, done) => {
    if (span === currentSpan()) done()
    else withinSpan(span, done)
  })
}

/** The event stream lasts as long as a page is open, and no page waits for its end. */
function startCallSpan(
  { method, headers, id, routeOptions }: FastifyRequest,
  parts: Pick<SpanParts, 'parentDecides' | 'beganAt'>,
): Span | null {
  const route = routeOptions.config.contract
  if (route === undefined || route.stream === 'text/event-stream; charset=utf-8') return null
  const { traceparent } = headers
  return startSpan(`${method} ${route.path}`, {
    ...parts,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    // Neither path nor query: some hold tickets or the words of a search.
    attributes: { 'http.request.method': method, 'http.route': route.path, 'roomkeeper.request.id': id },
  })
}

function endWithAnswer(request: FastifyRequest, { raw }: FastifyReply): void {
  raw.once('close', () => {
    const { span } = request
    span?.set({ 'http.response.status_code': raw.statusCode })
    if (raw.statusCode >= 500) span?.fail(String(raw.statusCode))
    if (!raw.writableFinished) span?.fail('the client was gone before the end of the answer')
    span?.end()
  })
}
