/**
 * What tracing costs: the same calls to two API processes on one database. Only one process sends its spans to a
 * collector.
 */
import { join } from 'node:path'
import { startServer, startTraceCollector } from '@roomkeeper/dev-env'
import type { BenchServer } from '../bench-server.ts'
import { createCaller } from '../http-call.ts'
import { type Calls, clients, inTurns } from './turns.ts'

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
  const callersOf = ({ address }: typeof traced) =>
    Array.from({ length: clients }, () => createCaller(address, bench.token))
  const [callers, untracedCallers] = [callersOf(traced), callersOf(untraced)]
  const asking = (given: typeof callers) => given.map((each) => () => each.post('/api/operator/get_tenants?page=0'))
  try {
    return await inTurns(
      {
        traced: { bench: { ...bench, server: traced }, askers: asking(callers) },
        untraced: { bench: { ...bench, server: untraced }, askers: asking(untracedCallers) },
      },
      seconds,
      turns,
    )
  } finally {
    for (const each of [...callers, ...untracedCallers]) each.close()
    await Promise.all([traced.stop(), untraced.stop()])
    await collector.stop()
  }
}
