/** What tracing costs: the same calls to two API processes on one database, of which one sends its spans to a collector. */
import { join } from 'node:path'
import { startServer, startTraceCollector } from '@roomkeeper/dev-env'
import type { BenchServer } from '../bench-server.ts'
import { createCaller } from '../http-call.ts'
import { type Calls, clients, runTurn, summed, type Turn } from './turns.ts'

const turns = 6

export async function measureTraced(bench: BenchServer, seconds: number): Promise<{ traced: Calls; untraced: Calls }> {
  const collector = await startTraceCollector()
  const settings = {
    PROCESS: 'api',
    DATABASE_URL: bench.databaseUrl,
    DATA_DIR: join(bench.dataDir, 'traced'),
    SECRET_KEY: 'calls of this benchmark open no secret',
    DATA_SHARED: '1',
  }
  const [traced, untraced] = await Promise.all([
    startServer({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    startServer(settings),
  ])
  const sides = [traced, untraced].map((server) => {
    const callers = Array.from({ length: clients }, () => createCaller(server.address, bench.token))
    const ask = callers.map((each) => () => each.post('/api/operator/get_tenants?page=0'))
    return { server, callers, ask, results: [] as Turn[] }
  })
  try {
    for (const { server, ask } of sides) await runTurn({ ...bench, server }, ask, Math.min(2, seconds))
    for (let turn = 0; turn < turns; turn++) {
      for (const { server, ask, results } of sides)
        results.push(await runTurn({ ...bench, server }, ask, seconds / turns))
    }
    const [first, second] = sides.map(({ results }) => summed(results))
    return { traced: first as Calls, untraced: second as Calls }
  } finally {
    for (const each of sides.flatMap(({ callers }) => callers)) each.close()
    await Promise.all([traced.stop(), untraced.stop()])
    await collector.stop()
  }
}
