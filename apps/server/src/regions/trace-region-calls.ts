/** A span for each call to a region that is made for somebody, with which the region goes on. */
import { type RegionClientOptions, type RegionRouteName, regionRoutes } from '@roomkeeper/region-protocol'
import { currentSpan, inSpan, type Span } from '@roomkeeper/tracing'

type Traced = NonNullable<RegionClientOptions['traced']>

/** Of one step. What makes more, such as a comparison of all rooms, would make a trace that nobody can read. */
const mostCalls = 200
const callsWithin = new WeakMap<Span, number>()

/** @param region its name */
export function traceRegionCalls(region: string): Traced {
  return async (call, send) => {
    const parent = currentSpan()
    if (parent === null || !isWorthASpan(parent, call)) return send({})
    const { method, path } = regionRoutes[call]
    const attributes = { 'http.request.method': method, 'url.template': path, 'roomkeeper.region.name': region }
    const outcome = await inSpan(`${method} ${path}`, { kind: 'client', attributes }, async (span) => {
      try {
        const response = await send(span === null ? {} : { traceparent: span.traceparent })
        span?.set({ 'http.response.status_code': response.status })
        // Not with a refusal: whether a name is free, say, is asked in the hope of a 404.
        if (response.status >= 500) span?.fail(String(response.status))
        return { response }
      } catch (error) {
        if (wasBrokenOff(error)) span?.set({ 'roomkeeper.end': 'broken-off' })
        else span?.fail('no answer')
        return { error }
      }
    })
    if ('error' in outcome) throw outcome.error
    return outcome.response
  }
}

/** By whoever made the call, because the worker stops, or the operation was cancelled: the region has not failed. */
function wasBrokenOff(error: unknown): boolean {
  return error instanceof DOMException && error.code === DOMException.ABORT_ERR
}

function isWorthASpan(parent: Span, call: RegionRouteName): boolean {
  // Whether a job has ended is asked again and again; the job has a span of its own.
  if (call === 'job') return false
  const calls = (callsWithin.get(parent) ?? 0) + 1
  callsWithin.set(parent, calls)
  if (calls > mostCalls) parent.set({ 'roomkeeper.region.calls_without_span': calls - mostCalls })
  return calls <= mostCalls
}
