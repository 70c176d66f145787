/**
 * Traces: from a call over the steps of its operation to the jobs of regions. Start at spans.ts; open-telemetry.ts
 * makes the spans and is loaded only where there is a collector.
 */
export {
  type Attributes,
  currentSpan,
  inSpan,
  isTracing,
  type Span,
  type SpanParts,
  startSpan,
  traceFields,
  traceFieldsOf,
  withinSpan,
} from './spans.ts'
export { startTracing } from './start-tracing.ts'
