/** A collector of traces: takes spans by OTLP over HTTP, in JSON. Tests can read what it got. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
type Attributes = { key: string; value: Value }[]

interface Sent {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: SentSpan[] }[] }[]
}

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attributes
  links?: { traceId: string; spanId: string }[]
  events?: { name: string }[]
  status?: { code?: number; message?: string }
}

export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  /** null: it begins the trace. */
  parentSpanId: string | null
  attributes: Record<string, unknown>
  /** The attributes of the process that sent it. */
  resource: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  events: string[]
  /** Why it has failed; null: it has not. */
  failure: string | null
}

export interface TraceCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  /** The received spans, oldest first. */
  spans: CollectedSpan[]
  /** The headers of the last request. */
  headers(): Record<string, unknown>
  /** Changes how it answers requests from now on. `hang`: it does not answer. */
  become(what: 'take' | 'hang' | 'fail'): void
  stop(): Promise<void>
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  let behaviour: 'take' | 'hang' | 'fail' = 'take'
  let headers: Record<string, unknown> = {}
  const server = createServer(async (request, response) => {
    headers = request.headers
    const sent = (await json(request).catch(() => null)) as Sent | null
    // The sender has died in the middle of its call.
    if (sent === null) return
    if (behaviour === 'hang') return
    if (behaviour === 'fail') return answer(response, 500)
    spans.push(...readSpans(sent))
    answer(response, 200)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    become(what) {
      behaviour = what
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
}

function readSpans({ resourceSpans }: Sent): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId, attributes, links, events, status }) => ({
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId ?? null,
        attributes: asObject(attributes),
        resource: asObject(resource.attributes),
        links: (links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        events: (events ?? []).map((event) => event.name),
        failure: status?.code === 2 ? (status.message ?? '') : null,
      })),
    ),
  )
}

function asObject(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
