/** Traces: from a call over the steps of its operation to the region's job, whichever processes take part. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  administrator,
  bootNetwork,
  type CollectedSpan,
  type Network,
  type RunningRegion,
  type RunningServer,
  roomDraft,
  signIn,
  startServer,
  startTraceCollector,
  type TraceCollector,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let collector: TraceCollector
let network: Network
let worker: RunningServer
const recorder = join(import.meta.dirname, 'record-modules.ts')
const modulesFile = (name: string) => join(network.dir, `modules-of-${name}`)

beforeAll(async () => {
  collector = await startTraceCollector()
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=key of the collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // Longer than any test: who waits for a collector that hangs is found.
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
    LOG_LEVEL: 'debug',
  }
  network = await bootNetwork({
    regions: [{ env: tracing }],
    env: { ...tracing, PROCESS: 'api' },
  })
  worker = await network.addServer({ PROCESS: 'worker' })
})
afterAll(async () => {
  await network?.stop()
  await collector?.stop()
})

interface Trace {
  headers: { traceparent: string }
  id: string
  /** The caller's span. */
  callers: string
}

function newTrace(flags = '00'): Trace {
  const [id, callers] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { id, callers, headers: { traceparent: `00-${id}-${callers}-${flags}` } }
}

const spansOf = ({ id }: Trace) => collector.spans.filter(({ traceId }) => traceId === id)

async function wholeTrace(trace: Trace, ...names: string[]): Promise<CollectedSpan[]> {
  await until(`there are spans ${names.join(', ')}`, async () =>
    names.every((name) => spansOf(trace).some((span) => span.name === name)),
  )
  return spansOf(trace)
}

/** The names from the span to the first of its trace. */
function pathOf(span: CollectedSpan, spans: CollectedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? [span.name] : [...pathOf(parent, spans), span.name]
}

function withoutParent(spans: CollectedSpan[]) {
  const known = new Set(spans.map(({ spanId }) => spanId))
  return spans.filter(({ parentSpanId }) => parentSpanId === null || !known.has(parentSpanId))
}

const only = (spans: CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.filter((span) => span.name === name)
  expect(found, name).toHaveLength(1)
  return found[0] as CollectedSpan
}

describe('the trace of an operation', () => {
  // shows: trace-one
  it('is one tree from the call over its steps to the calls of the region', async () => {
    const trace = newTrace()
    const body = roomDraft()
    await network.admin.call('createRoom', { body, headers: trace.headers })
    await network.settle()
    const pathToRegion =
      'POST /api/operator/create > operation room.create > step create-room > PUT /rooms/:name > PUT /rooms/:name'
    const paths = () => spansOf(trace).map((span) => pathOf(span, spansOf(trace)).join(' > '))
    // Each process sends its spans by itself.
    await until('there is the call of the region', async () => paths().includes(pathToRegion))
    const spans = await wholeTrace(trace, 'operation room.create', 'POST /api/operator/create')

    const [call, ...others] = withoutParent(spans)
    expect(others).toEqual([])
    expect(spans.filter(({ failure }) => failure !== null)).toEqual([])
    expect(call).toMatchObject({ name: 'POST /api/operator/create', parentSpanId: trace.callers })
    expect(new Set(spans.map(({ resource }) => resource['roomkeeper.process'] ?? 'region'))).toEqual(
      new Set(['api', 'worker', 'region']),
    )
    expect(only(spans, 'operation room.create').attributes).toMatchObject({
      'roomkeeper.room.name': body.tenantName,
      'roomkeeper.end': 'done',
    })
    expect(call?.resource).toMatchObject({ 'service.name': 'roomkeeper', 'deployment.environment.name': 'test' })
    expect(collector.headers()).toMatchObject({ 'x-collector-key': 'key of the collector' })
  })

  // shows: trace-one
  it('has the jobs of the region, and none of the polls that wait for them', async () => {
    const trace = newTrace()
    const roomName = await network.newSuspendedRoom()
    await network.admin.call('deleteRoom', { body: { roomName }, headers: trace.headers })
    await network.settle()
    const spans = await wholeTrace(trace, 'operation room.delete', 'job deleteRoom')

    expect(withoutParent(spans)).toHaveLength(1)
    const job = only(spans, 'job deleteRoom')
    expect(pathOf(job, spans).slice(-4)).toEqual([
      expect.stringMatching(/^step /),
      'PUT /jobs/:id',
      'PUT /jobs/:id',
      'job deleteRoom',
    ])
    expect(job).toMatchObject({ attributes: { 'roomkeeper.job.state': 'done' }, events: ['begins'], failure: null })
    expect(spans.map(({ name }) => name)).not.toContain('GET /jobs/:id')
  })

  it('goes on in the worker that takes the operation over', async () => {
    const trace = newTrace()
    // So that the spans of the steps before are sent.
    await network.setRegionFaults([{ method: 'PUT', path: '/region/v1/rooms/', action: 'delay', milliseconds: 500 }])
    await network.planFault('room.create:create-room:after:kill')
    await network.admin.call('createRoom', { body: roomDraft(), headers: trace.headers })
    await worker.ended
    worker = await network.addServer({ PROCESS: 'worker' })
    await network.settle()
    const spans = await wholeTrace(trace, 'operation room.create')

    const attempt = only(spans, 'operation room.create')
    expect(attempt.attributes).toMatchObject({ 'roomkeeper.operation.fence': 2, 'roomkeeper.end': 'done' })
    expect(pathOf(attempt, spans)).toEqual(['POST /api/operator/create', 'operation room.create'])
    // The dead worker has not sent its attempt, nor its call to the region, which has sent its own part.
    expect(withoutParent(spans).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /api/operator/create', 'step check-name', 'PUT /rooms/:name']),
    )
  })

  it('is in the log lines of every process', async () => {
    const trace = newTrace()
    await network.setRegionFaults([{ file: 'rename', action: 'EIO' }])
    const { body } = await network.admin.call('createRoom', { body: roomDraft(), headers: trace.headers })
    await network.settle()
    const lines = (server: { output(): string }) =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(trace.id))
    await until('both have written', async () => lines(network.server).length > 0 && lines(worker).length > 1)
    expect(JSON.parse(lines(network.server).at(-1) ?? '')).toMatchObject({ msg: 'request', trace_id: trace.id })
    expect(JSON.parse(lines(network.regions[0] as RunningRegion)[0] ?? '')).toMatchObject({ msg: 'a call failed' })
    const ofWorker = lines(worker).map((line) => JSON.parse(line) as object)
    const operation = { trace_id: trace.id, operationId: body.operationId }
    expect(ofWorker).toContainEqual(expect.objectContaining({ msg: 'operation begins', ...operation }))
    expect(ofWorker).toContainEqual(expect.objectContaining({ msg: 'operation ended', ...operation }))
  })

  it('tells of failures their codes, and another attempt belongs to the call that asks for it', async () => {
    const trace = newTrace()
    await network.planFault('room.create:check-room:after:fail')
    const started = await network.admin.call('createRoom', { body: roomDraft(), headers: trace.headers })
    await network.settle()
    const spans = await wholeTrace(trace, 'operation room.create')
    expect(only(spans, 'operation room.create')).toMatchObject({
      failure: 'told',
      attributes: { 'roomkeeper.end': 'failed', 'roomkeeper.operation.attempt': 1 },
    })

    const again = newTrace()
    await network.admin.call('retryOperation', { params: { id: started.body.operationId }, headers: again.headers })
    await network.settle()
    const spansOfRetry = await wholeTrace(again, 'operation room.create')
    expect(withoutParent(spansOfRetry)).toHaveLength(1)
    expect(only(spansOfRetry, 'operation room.create').attributes).toMatchObject({
      'roomkeeper.end': 'done',
      'roomkeeper.operation.attempt': 2,
    })
    const { links } = only(spansOfRetry, 'retry room.create')
    expect(links).toEqual([{ traceId: trace.id, spanId: only(spans, 'POST /api/operator/create').spanId }])
  })

  it('has not failed where a worker that stops leaves it to another', async () => {
    const trace = newTrace()
    const roomName = await network.newRoom()
    const path = `/region/v1/rooms/${roomName}/suspend`
    await network.setRegionFaults([{ method: 'POST', path, action: 'delay', milliseconds: 3000, times: 1 }])
    const suspended = network.admin.call('suspendRoom', { body: { roomName }, headers: trace.headers })
    const running = `select from operation_steps s join operations o on o.id = s.operation_id
                      where s.state = 'running' and o.room_name = $1`
    await until('the step runs', async () => (await network.database.rows(running, [roomName])).length > 0)
    await worker.stop()
    worker = await network.addServer({ PROCESS: 'worker' })
    await suspended
    await network.settle()
    const ends = () =>
      spansOf(trace).flatMap(({ name, failure, attributes }) =>
        /^(operation|step) /.test(name) ? [[name.split(' ')[0], attributes['roomkeeper.end'], failure]] : [],
      )
    await until('both have told', async () => ends().some(([what, end]) => what === 'operation' && end === 'done'))
    expect(ends()).toContainEqual(['step', 'handed-over', null])
    expect(ends()).toContainEqual(['operation', 'handed-over', null])
    expect(ends().filter(([, , failure]) => failure !== null)).toEqual([])
    const calls = spansOf(trace).filter(({ attributes }) => attributes['roomkeeper.end'] === 'broken-off')
    expect(calls.map(({ name, failure }) => [name, failure])).toEqual([['POST /rooms/:name/suspend', null]])
    expect(spansOf(trace).filter(({ failure }) => failure !== null)).toEqual([])
  })
})

describe('a child of an operation', () => {
  it('has a trace of its own, with a link to the one of its parent', async () => {
    const trace = newTrace()
    const rooms = [await network.newRoom()]
    const bulk = { action: 'suspend', selection: { rooms }, parameters: { userNotification: false } } as const
    await network.admin.call('startBulk', { body: { ...bulk, expectedTotal: 1 }, headers: trace.headers })
    await network.settle()
    const spans = await wholeTrace(trace, 'operation bulk.run')
    expect(spans.map(({ name }) => name)).not.toContain('operation room.suspend')
    const ids = spans.map(({ spanId }) => spanId)
    const starts = () =>
      collector.spans.filter(({ name, links }) => name === 'start room.suspend' && ids.includes(links[0]?.spanId ?? ''))
    await until('it has begun', async () => starts().length > 0)
    expect(starts()).toHaveLength(1)
    const [start] = starts()
    const ofChild = collector.spans.filter(({ traceId }) => traceId === start?.traceId)
    expect(pathOf(only(ofChild, 'operation room.suspend'), ofChild)).toEqual([
      'start room.suspend',
      'operation room.suspend',
    ])
  })
})

describe('the span of a call', () => {
  it('tells the refusal, and neither its path nor its query', async () => {
    const trace = newTrace()
    const query = { projectRoom: 'a room that nobody has' }
    await expect(network.admin.call('room', { query, headers: trace.headers })).rejects.toThrow()
    const [span] = await wholeTrace(trace, 'GET /api/operator/room')
    expect(span?.attributes).toMatchObject({ 'roomkeeper.refusal': 'room-unknown', 'http.response.status_code': 404 })
    expect(JSON.stringify(span)).not.toContain('nobody has')
  })

  it('belongs to a new trace when the caller sends something else', async () => {
    for (const traceparent of ['', 'hello', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`]) {
      await network.admin.call('checkSession', { headers: { traceparent } })
    }
    const calls = () =>
      collector.spans.filter(({ name, parentSpanId }) => name === 'PUT /api/operator/session' && parentSpanId === null)
    await until('three spans are there', async () => calls().length === 3)
    expect(new Set(calls().map(({ traceId }) => traceId)).size).toBe(3)
  })
})

describe('the flag 01 of a call', () => {
  it('has it recorded in spite of the sampler when its caller is admitted, and not for strangers', async () => {
    const server = await network.addServer({ PROCESS: 'api', OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    const [strange, wrong, asked, unasked] = [newTrace('01'), newTrace('01'), newTrace('01'), newTrace('00')]
    const admitted = await signIn(() => server.address, administrator)
    const stranger = async (path: string, { headers }: Trace) => {
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
      return (await fetch(server.address + path, init)).status
    }
    expect(await stranger('/api/operator/create', strange)).toBe(401)
    expect(await stranger('/api/operator/session', wrong)).toBe(400)
    await admitted.call('regions', { headers: unasked.headers })
    await admitted.call('createRoom', { body: roomDraft(), headers: asked.headers })
    await network.settle()
    const spans = await wholeTrace(asked, 'POST /api/operator/create', 'operation room.create')
    expect(withoutParent(spans)).toEqual([only(spans, 'POST /api/operator/create')])
    expect([strange, wrong, unasked].map((trace) => spansOf(trace))).toEqual([[], [], []])
    await server.stop()
  })

  it('and the id of a stranger’s trace do not have it recorded, also where the sampler takes a share by their ids', async () => {
    const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.000000001' }
    const server = await network.addServer({ PROCESS: 'api', ...share })
    // The share takes a few ids, which anybody can work out: this is one of them.
    const id = '1'.padStart(32, '0')
    const headers = { traceparent: `00-${id}-${'1'.repeat(16)}-01` }
    expect((await fetch(`${server.address}/api/operator/regions`, { headers })).status).toBe(401)
    const asked = newTrace('01')
    await (await signIn(() => server.address, administrator)).call('regions', { headers: asked.headers })
    await wholeTrace(asked, 'GET /api/operator/regions')
    expect(collector.spans.filter(({ traceId }) => traceId === id)).toEqual([])
    await server.stop()
  })
})

describe('a collector', () => {
  it('that fails is told once, and loses spans alone', async () => {
    collector.become('fail')
    const told = () =>
      network.server
        .output()
        .split('\n')
        .filter((line) => line.includes('takes no traces'))
    for (let calls = 0; calls < 5; calls += 1) await network.admin.call('checkSession', {})
    await until('it is told', async () => told().length > 0)
    for (let calls = 0; calls < 5; calls += 1) await network.admin.call('checkSession', {})
    collector.become('take')
    await network.admin.call('checkSession', {})
    await until('it is well again', async () => network.server.output().includes('takes traces again'))
    expect(told()).toHaveLength(1)
    expect(network.server.output()).not.toContain('key of the collector')
  })

  it('that hangs slows down neither calls nor the end of a process', async () => {
    collector.become('hang')
    const server = await network.addServer({ PROCESS: 'worker' })
    await network.newRoom()
    // The exporters would wait for ten minutes.
    await server.stop()
    await worker.stop()
    collector.become('take')
    worker = await network.addServer({ PROCESS: 'worker' })
  })
})

describe('without a collector', () => {
  // prom-client loads @opentelemetry/api by itself.
  it('nothing of OpenTelemetry is loaded', async () => {
    const recorded = async (name: string, env: Record<string, string>) => {
      const recording = { NODE_OPTIONS: `--import=${recorder}`, MODULES_FILE: modulesFile(name), PROCESS: 'all' }
      // Not a bundle, in which modules have no names.
      const server = await startServer({ ...network.settings, ...recording, ...env }, 'apps/server/src/main.ts')
      await server.stop()
      return (await readFile(modulesFile(name), 'utf8'))
        .split('\n')
        .filter((url) => /@opentelemetry\/(?!api\/)/.test(url))
    }
    expect(await recorded('tracing', {})).not.toEqual([])
    expect(await recorded('not-tracing', { OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toEqual([])
  })
})
