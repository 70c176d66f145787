/**
 * The only file that loads OpenTelemetry. It registers nothing globally and patches no library: which span is the
 * current one is known in spans.ts.
 */
import { createHmac, randomUUID } from 'node:crypto'
import {
  type Context,
  createContextKey,
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from './settings.ts'
import type { Span, SpanParts, Tracer } from './spans.ts'
import type { TracedProcess } from './traced-process.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

export function openTelemetry(
  settings: TracingSettings,
  { serviceName, attributes, strangersKey, onTrouble }: TracedProcess,
): { tracer: Tracer; end(): Promise<void> } {
  const known = resourceFromAttributes({
    'service.name': settings.OTEL_SERVICE_NAME ?? serviceName,
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    ...attributes,
  })
  const provider = new TracerProvider({
    resource: known.merge(detectResources({ detectors: [resourceAttributesEnvDetector] })),
    sampler: decidingForOthers(samplerOf(settings), decidingId(settings, strangersKey)),
    // Long texts of regions would make spans that no collector takes.
    spanLimits: { attributeValueLengthLimit: 1000 },
    spanProcessors: [
      new BatchSpanProcessor({
        // It reads where to send, and with which headers, from the environment.
        exporter: telling(new OTLPTraceExporter(), onTrouble),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  })
  const tracer = provider.getTracer('roomkeeper')
  return {
    tracer: (name, parts) => {
      const { kind = 'internal', cause, attributes: told = {} } = parts
      const link = readTraceparent(cause)
      const links = link === null ? [] : [{ context: contextOf(link) }]
      const options = { kind: kinds[kind], attributes: told, links }
      const beginning = parts.beganAt === undefined ? {} : { startTime: parts.beganAt }
      return asSpan(tracer.startSpan(name, { ...options, ...beginning }, parentOf(parts)))
    },
    end: () => provider.shutdown(),
  }
}

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

function contextOf({ traceId, spanId, isSampled }: NonNullable<ReturnType<typeof readTraceparent>>) {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
}

/** Of a parent that decides nothing, and so is none for the sampler. */
const undecided = createContextKey('whether the trace is recorded is decided here')

function parentOf({ parent, parentDecides = true }: Pick<SpanParts, 'parent' | 'parentDecides'>): Context {
  const given = readTraceparent(parent)
  if (given === null) return ROOT_CONTEXT
  const context = trace.setSpanContext(ROOT_CONTEXT, contextOf(given))
  return parentDecides ? context : context.setValue(undecided, true)
}

function decidingForOthers(sampler: Sampler, decidingId: (traceId: string) => string): Sampler {
  return {
    shouldSample: (context, traceId, ...rest) =>
      context.getValue(undecided) === true
        ? sampler.shouldSample(ROOT_CONTEXT, decidingId(traceId), ...rest)
        : sampler.shouldSample(context, traceId, ...rest),
    toString: () => sampler.toString(),
  }
}

/** Not where each span is decided for itself: the others of the trace are by its own id. */
function decidingId({ OTEL_TRACES_SAMPLER: name }: TracingSettings, key: Buffer | undefined) {
  return (traceId: string) =>
    key === undefined || name === 'traceidratio'
      ? traceId
      : createHmac('sha256', key).update(traceId).digest('hex').slice(0, 32)
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TracingSettings): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(share)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) })
  }
}

function asSpan(span: OpenSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  let hasFailed = false
  return {
    traceId,
    traceparent: writeTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
    hasEnded: false,
    set: (attributes) => void span.setAttributes(attributes),
    note: (event, attributes) => void span.addEvent(event, attributes),
    fail(message) {
      if (hasFailed) return
      hasFailed = true
      span.setStatus({ code: SpanStatusCode.ERROR, message })
    },
    end() {
      this.hasEnded = true
      span.end()
    },
  }
}

const quietMilliseconds = 60_000

/** Tells that the collector has begun to fail, at most once a minute, and that it is well again. */
function telling(exporter: SpanExporter, onTrouble: TracedProcess['onTrouble']): SpanExporter {
  let isTold = false
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = (error: Error | null) => {
    if (isTold === (error !== null)) return
    if (error !== null && performance.now() - toldAt < quietMilliseconds) return
    isTold = error !== null
    toldAt = performance.now()
    onTrouble(error)
  }
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        tell(result.code === 0 ? null : (result.error ?? new Error('The collector refuses spans.')))
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
