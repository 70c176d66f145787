/**
 * Spans of the trace that a call or an operation belongs to. Until a program calls `startTracing`, there are none, and
 * nothing of OpenTelemetry is loaded.
 *
 * The current span goes with the asynchronous work that began in it. Once it has ended it is no longer a parent: what a
 * call leaves behind, such as a timer, would otherwise add to its trace for ever.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readTraceparent } from './traceparent.ts'

export type Attributes = Record<string, string | number | boolean>

export interface Span {
  traceId: string
  /** For the process that continues the trace. */
  traceparent: string
  hasEnded: boolean
  /** Never a secret, nor the query of a request. */
  set(attributes: Attributes): void
  /** Notes what happens at this moment. */
  note(event: string, attributes?: Attributes): void
  /** The first reason stays. */
  fail(reason: string): void
  end(): void
}

export interface SpanParts {
  /** Default: internal. */
  kind?: 'internal' | 'server' | 'client'
  /** The `traceparent` of its parent; null: it begins a trace. Default: the current span. */
  parent?: string | null
  /**
   * False: this process decides whether it is recorded, against the parent if need be. Default: true. See
   * docs/server.md.
   */
  parentDecides?: boolean
  /** In milliseconds since 1970. Default: now. */
  beganAt?: number
  /** The `traceparent` of a span of another trace that led to this one. */
  cause?: string | null
  attributes?: Attributes
}

/** Starts one span. */
export type Tracer = (name: string, parts: SpanParts & { parent: string | null }) => Span

let tracer: Tracer | null = null
const current = new AsyncLocalStorage<Span>()

/** @param next null: no more spans */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

export function isTracing(): boolean {
  return tracer !== null
}

/** Null: none, or it has ended. */
export function currentSpan(): Span | null {
  const span = tracer === null ? undefined : current.getStore()
  return span === undefined || span.hasEnded ? null : span
}

/** For log lines, named as OpenTelemetry names them there. */
export function traceFields(span: Span | null = currentSpan()): { trace_id?: string } {
  return span === null ? {} : { trace_id: span.traceId }
}

/** For a log line about a call whose span has ended, by the `traceparent` that it came with. */
export function traceFieldsOf(traceparent: string | string[] | undefined): { trace_id?: string } {
  const given = tracer === null || typeof traceparent !== 'string' ? null : readTraceparent(traceparent)
  return given === null ? {} : { trace_id: given.traceId }
}

/** @returns null: nothing is traced. The caller ends the span. */
export function startSpan(name: string, parts: SpanParts): Span | null {
  const { parent = currentSpan()?.traceparent ?? null } = parts
  return tracer?.(name, { ...parts, parent }) ?? null
}

/** Makes it the current span of the work, and of all that the work begins. */
export function withinSpan<T>(span: Span | null, work: () => T): T {
  return span === null ? work() : current.run(span, work)
}

/** A span that lasts as long as the work, and has failed if the work throws. */
export async function inSpan<T>(name: string, parts: SpanParts, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = startSpan(name, parts)
  if (span === null) return work(null)
  try {
    return await withinSpan(span, () => work(span))
  } catch (error) {
    // Not with its text, which may tell what no other program should know.
    span.fail('error')
    throw error
  } finally {
    span.end()
  }
}
