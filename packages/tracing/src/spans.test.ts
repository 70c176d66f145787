/** The parents of spans, and whose traces are recorded. Nothing is sent, because there is no collector. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TracingSettings, tracingVariables } from './settings.ts'
import { currentSpan, inSpan, isTracing, startSpan, traceFields, withinSpan } from './spans.ts'
import { startTracing } from './start-tracing.ts'
import { readTraceparent } from './traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const sampled = `00-${traceId}-b7ad6b7169203331-01`
const unsampled = `00-${traceId}-b7ad6b7169203331-00`

let stop = async () => {}
afterEach(() => stop())

async function trace(given: Partial<Record<keyof TracingSettings, string>> = {}, key = 'key'): Promise<void> {
  const settings = Object.entries(tracingVariables).map(([name, { form }]) => [
    name,
    form.parse(given[name as keyof TracingSettings]),
  ])
  stop = await startTracing(Object.fromEntries(settings) as TracingSettings, {
    serviceName: 'test',
    attributes: {},
    strangersKey: Buffer.from(key),
    onTrouble: () => undefined,
  })
}
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }

describe('without a collector', () => {
  it('there is no span, and work runs as it is', async () => {
    await trace()
    expect(isTracing()).toBe(false)
    expect(await inSpan('work', { parent: sampled }, async (span) => [span, currentSpan(), traceFields()])).toEqual([
      null,
      null,
      {},
    ])
  })
})

describe('the current span', () => {
  beforeEach(() => trace({ ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' }))

  it('is the parent of the spans that begin in it', async () => {
    await inSpan('outer', { parent: sampled }, async (outer) => {
      expect(outer?.traceId).toBe(traceId)
      await Promise.resolve()
      expect(traceFields()).toEqual({ trace_id: traceId })
      expect(startSpan('inner', {})?.traceId).toBe(traceId)
      expect(startSpan('other', { parent: null })?.traceId).not.toBe(traceId)
    })
  })

  it('is nobody’s parent once it has ended', async () => {
    let later = async () => startSpan('unused', {})
    await inSpan('outer', { parent: sampled }, async (outer) => {
      later = () => withinSpan(outer, async () => startSpan('left behind', {}))
    })
    expect((await later())?.traceId).not.toBe(traceId)
  })

  it('ends also when the work throws, and the error goes on', async () => {
    const failing = inSpan('work', {}, async () => {
      throw new RangeError('a secret')
    })
    await expect(failing).rejects.toThrow('a secret')
    expect(currentSpan()).toBeNull()
  })
})

describe('whether a trace is recorded', () => {
  it.each([
    ['parentbased_always_on', unsampled, false, true],
    ['parentbased_always_on', unsampled, true, false],
    ['parentbased_always_off', unsampled, false, false],
    ['parentbased_always_off', sampled, true, true],
    ['parentbased_always_off', sampled, false, false],
    ['always_off', sampled, true, false],
    ['always_on', unsampled, true, true],
  ])('%s, parent %s, which decides %s: %s', async (sampler, parent, parentDecides, isSampled) => {
    await trace({ ...endpoint, OTEL_TRACES_SAMPLER: sampler })
    const span = startSpan('call', { parent, parentDecides })
    expect(readTraceparent(span?.traceparent)).toMatchObject({ traceId, isSampled })
  })

  it('by a share of them depends on the trace alone, so every process decides alike', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => (n * 0x9e3779b1).toString(16).padStart(32, '1'))
    await trace({ ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' })
    const decide = () =>
      ids.map((id) => {
        const parent = `00-${id}-b7ad6b7169203331-00`
        return readTraceparent(startSpan('call', { parent, parentDecides: false })?.traceparent)?.isSampled
      })
    const decided = decide()
    expect(decide()).toEqual(decided)
    expect(new Set(decided)).toEqual(new Set([true, false]))
  })
})

describe('the id of a trace that a stranger has chosen', () => {
  // The share alone would record each of them.
  const chosen = Array.from({ length: 500 }, (_, n) => (n + 1).toString(16).padStart(32, '0'))
  const isSampled = (id: string, parentDecides: boolean) => {
    const parent = `00-${id}-b7ad6b7169203331-00`
    const began = readTraceparent(startSpan('call', { parent, parentDecides })?.traceparent)
    expect(began?.traceId).toBe(id)
    return began?.isSampled
  }
  const recorded = async (sampler: string, key: string) => {
    await stop()
    await trace({ ...endpoint, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.1' }, key)
    return chosen.filter((id) => isSampled(id, false))
  }

  it('does not have it recorded: which are is known to those who know the key', async () => {
    const [some, same, others] = [
      await recorded('parentbased_traceidratio', 'one'),
      await recorded('parentbased_traceidratio', 'one'),
      await recorded('parentbased_traceidratio', 'two'),
    ]
    expect(some.length).toBeGreaterThan(25)
    expect(some.length).toBeLessThan(100)
    expect(same).toEqual(some)
    expect(others).not.toEqual(some)
  })

  it('decides where every span is decided by it', async () => {
    expect(await recorded('traceidratio', 'one')).toEqual(chosen)
  })
})

describe('a traceparent', () => {
  it.each([
    [sampled, { isSampled: true }],
    [unsampled, { isSampled: false }],
    [`cc-${traceId}-b7ad6b7169203331-03-more`, { isSampled: true }],
  ])('%s is read', (text, expected) => expect(readTraceparent(text)).toMatchObject({ traceId, ...expected }))

  it.each([
    '',
    'hello',
    `ff-${traceId}-b7ad6b7169203331-01`,
    `00-${traceId.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `${sampled}-more`,
    `${sampled}\n`,
  ])('%j is none', (text) => expect(readTraceparent(text)).toBeNull())
})
