/**
 * Calls per second: the first page of the list of rooms for many clients at once, beside the same number of connections
 * that ask PostgreSQL for the same answer with hand-written SQL, in turns.
 */
import pg from 'pg'
import { startBenchServer } from '../bench-server.ts'
import { createCaller } from '../http-call.ts'
import { summarisedList } from '../list/bare-sql.ts'
import { percentile, table, timed } from '../measure.ts'
import { cpuOf } from '../process-cost.ts'

const clients = 16
const turns = 4
const page = 'select name from rooms order by name desc limit 20'

interface Turn {
  times: number[]
  milliseconds: number
}

export async function benchCalls(options: {
  rooms: number
  seconds: number
  dataDir: string | undefined
}): Promise<void> {
  const { server, token, databaseUrl, stop } = await startBenchServer(options)
  const callers = Array.from({ length: clients }, () => createCaller(server.address, token))
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(connections.map((each) => each.connect()))
  const product = callers.map((each) => () => each.post('/api/operator/get_tenants?'))
  const bare = connections.map((each) => () => each.query(summarisedList({ where: 'true', page })))
  try {
    await runTurn(product, 2)
    const results: { product: Turn[]; bare: Turn[] } = { product: [], bare: [] }
    let cpu = 0
    for (let turn = 0; turn < turns; turn++) {
      const before = cpuOf(server.child.pid)
      results.product.push(await runTurn(product, options.seconds / turns))
      cpu += cpuOf(server.child.pid) - before
      results.bare.push(await runTurn(bare, options.seconds / turns))
    }
    const calls = results.product.flatMap(({ times }) => times).length
    console.log(`first page of ${options.rooms} rooms, ${clients} clients\n`)
    const rows = [
      row('product over HTTP', results.product, (cpu / calls).toFixed(2)),
      row('bare SQL', results.bare, ''),
    ]
    console.log(table(['', 'calls/s', 'p50 ms', 'p99 ms', 'CPU of the server per call, ms'], rows))
  } finally {
    for (const each of callers) each.close()
    await Promise.all(connections.map((each) => each.end()))
    await stop()
  }
}

/** Everybody asks again as soon as the answer is there. */
async function runTurn(askers: readonly (() => Promise<unknown>)[], seconds: number): Promise<Turn> {
  const begun = performance.now()
  const times: number[] = []
  const ask = async (asker: () => Promise<unknown>) => {
    while (performance.now() - begun < seconds * 1000) times.push(await timed(asker))
  }
  await Promise.all(askers.map(ask))
  return { times, milliseconds: performance.now() - begun }
}

function row(name: string, all: readonly Turn[], cpu: string): string[] {
  const times = all.flatMap((each) => each.times)
  const seconds = all.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return [name, (times.length / seconds).toFixed(0), p50.toFixed(1), p99.toFixed(1), cpu]
}
