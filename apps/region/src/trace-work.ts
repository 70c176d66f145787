/**
 * The spans of a region: of calls that belong to a caller's trace, and of the jobs that they start. A region begins no
 * trace of its own.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type JobInput, type RegionProblem, type RegionRoute, regionBasePath } from '@roomkeeper/region-protocol'
import { currentSpan, inSpan, type Span, startSpan, traceFieldsOf, withinSpan } from '@roomkeeper/tracing'
import { refusalOfError } from '#refusals.ts'

/** Called only after the caller is admitted, so that strangers add to no trace. */
export async function inCall<T>(
  { method, path }: RegionRoute,
  { traceparent }: IncomingHttpHeaders,
  call: () => T | Promise<T>,
): Promise<T> {
  if (typeof traceparent !== 'string' || traceFieldsOf(traceparent).trace_id === undefined) return call()
  const attributes = { 'http.request.method': method, 'http.route': regionBasePath + path }
  const span = startSpan(`${method} ${path}`, { kind: 'server', parent: traceparent, attributes })
  try {
    return await withinSpan(span, call)
  } catch (error) {
    const { code, problem } = refusalOfError(error)
    span?.set({ 'roomkeeper.refusal': code, 'http.response.status_code': problem.status })
    if (problem.status >= 500) span?.fail(code)
    throw error
  } finally {
    span?.end()
  }
}

/** A job is part of the call that started it, which may be answered long before the job ends. */
export function inJob(id: string, { type, room }: JobInput, run: (span: Span | null) => Promise<void>): Promise<void> {
  if (currentSpan() === null) return run(null)
  const attributes = { 'roomkeeper.job.id': id, 'roomkeeper.job.type': type, 'roomkeeper.room.name': room }
  return inSpan(`job ${type}`, { attributes }, run)
}

export function traceJobEnd(span: Span | null, { state, error }: { state: string; error: RegionProblem | null }): void {
  span?.set({ 'roomkeeper.job.state': state })
  if (error !== null) span?.fail(error.type)
}
