/** Starts and stops the tracing of a process. */
import type { TracingSettings } from './settings.ts'
import { setTracer } from './spans.ts'
import type { TracedProcess } from './traced-process.ts'

/** How long a process that ends may take to send what it has. */
const lastMilliseconds = 2000

/** Does nothing, and loads nothing, unless there is a collector. @returns what stops it */
export async function startTracing(settings: TracingSettings, traced: TracedProcess): Promise<() => Promise<void>> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => undefined
  const { openTelemetry } = await import('./open-telemetry.ts')
  const { tracer, end } = openTelemetry(settings, traced)
  setTracer(tracer)
  return async () => {
    setTracer(null)
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, lastMilliseconds)
    await Promise.race([end().catch(() => undefined), enough.promise])
    clearTimeout(timer)
  }
}
