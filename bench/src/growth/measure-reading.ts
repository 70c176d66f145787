/** What reading costs at one size: lists, calls at once, export and statistics. */
import { type BenchServer, type ServersCpu, startCpuMeter } from '../bench-server.ts'
import { measureCalls } from '../calls/bench-calls.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { createCaller } from '../http-call.ts'
import { benchExport } from '../list/bench-export.ts'
import { measure } from '../measure.ts'
import { measureStatistics } from '../statistics/bench-statistics.ts'
import type { Measures } from './growth-points.ts'
import { measuredLists } from './measured-lists.ts'

/** Times in turns; then CPU over calls of some seconds, because Linux counts it in hundredths of a second. */
export async function measureLists(
  bench: BenchServer,
  measures: Measures,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const caller = createCaller(bench.server.address, bench.token)
  for (const { id, contest } of measuredLists(bench, caller, await countRooms(bench.database))) {
    const times = await measure(contest, rounds)
    measures.add(`${id}.time`, 'ms', times.product, times.bare)
    const product = await costOf(bench, contest.product, seconds)
    const bare = await costOf(bench, contest.bare, seconds)
    measures.add(`${id}.server-cpu`, 'ms', product.server)
    measures.add(`${id}.postgres-cpu`, 'ms', product.postgres, bare.postgres)
  }
  caller.close()
}

/** CPU per call in milliseconds; that of PostgreSQL is null if it runs elsewhere. */
async function costOf(bench: BenchServer, call: () => Promise<unknown>, seconds: number): Promise<ServersCpu> {
  const taken = startCpuMeter(bench)
  const begun = performance.now()
  let calls = 0
  for (; calls < 3 || performance.now() - begun < seconds * 1000; calls++) await call()
  const { server, postgres } = taken()
  return { server: server / calls, postgres: postgres === null ? null : postgres / calls }
}

export async function measureManyCalls(bench: BenchServer, measures: Measures, seconds: number): Promise<void> {
  const { product, bare } = await measureCalls(bench, seconds)
  measures.add('calls.rate', 'calls/s', product.perSecond, bare.perSecond)
  measures.add('calls.p50', 'ms', product.p50, bare.p50)
  measures.add('calls.p99', 'ms', product.p99, bare.p99)
  measures.add('calls.server-cpu', 'ms', product.serverCpu)
  measures.add('calls.postgres-cpu', 'ms', product.postgresCpu, bare.postgresCpu)
}

export async function measureExport(bench: BenchServer, measures: Measures): Promise<void> {
  const { rowsPerSecond, copiedPerSecond, firstByte, memory } = await benchExport(bench)
  measures.add('export.first-byte', 'ms', firstByte)
  measures.add('export.rate', 'rows/s', rowsPerSecond, copiedPerSecond)
  measures.add('export.memory', 'MiB', memory.peak - memory.before)
}

export async function measureAllStatistics(bench: BenchServer, measures: Measures, rounds: number): Promise<void> {
  for (const { id, median } of await measureStatistics(bench, rounds)) measures.add(`statistics.${id}`, 'ms', median)
}
