/**
 * Calls per second: the first page of the list of rooms for many clients at once, beside the same number of connections
 * that ask PostgreSQL for the same answer with hand-written SQL, in turns; and the same page with an API token beside
 * that with a session.
 */
import pg from 'pg'
import {
  type BenchServer,
  type BenchServerOptions,
  type ServersCpu,
  startBenchServer,
  startCpuMeter,
} from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { createCaller } from '../http-call.ts'
import { summarisedList } from '../list/bare-sql.ts'
import { percentile, table, timed } from '../measure.ts'

export const clients = 16
const turns = 4
const pageSize = 20

/** Which page each client asks for. */
type Pages = (client: number) => number
const firstPage: Pages = () => 0
const differentPages: Pages = (client) => client

/** What the calls of one side came to. */
export interface Calls {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** CPU per call in milliseconds; that of PostgreSQL is null if it runs elsewhere. */
  serverCpu: number
  postgresCpu: number | null
}

export async function benchCalls(options: BenchServerOptions & { seconds: number }): Promise<void> {
  const bench = await startBenchServer(options, { TOKEN_CALLS_PER_SECOND: '10000' })
  try {
    const same = await measureCalls(bench, options.seconds)
    const different = await measureCalls(bench, options.seconds, differentPages)
    const { session, apiToken } = await measureTokens(bench, options.seconds)
    const rooms = (await countRooms(bench.database)).toLocaleString('en')
    console.log(`a page of ${rooms} rooms, ${clients} clients\n`)
    const header = ['', 'calls/s', 'p50 ms', 'p99 ms', 'CPU of the server per call, ms', 'of PostgreSQL']
    const rows = [
      row('first page for all: product over HTTP', same.product),
      row('first page for all: bare SQL', same.bare),
      row('a page of its own for each: product over HTTP', different.product),
      row('a page of its own for each: bare SQL', different.bare),
      row('a page of its own for each: session', session),
      row('a page of its own for each: API token', apiToken),
    ]
    console.log(table(header, rows))
  } finally {
    await bench.stop()
  }
}

/** @param seconds how long each of both sides is asked, all turns together */
export async function measureCalls(
  bench: BenchServer,
  seconds: number,
  pages: Pages = firstPage,
): Promise<{ product: Calls; bare: Calls }> {
  const callers = Array.from({ length: clients }, () => createCaller(bench.server.address, bench.token))
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: bench.databaseUrl }))
  await Promise.all(connections.map((each) => each.connect()))
  const product = callers.map((each, client) => () => each.post(`/api/operator/get_tenants?page=${pages(client)}`))
  const bare = connections.map((each, client) => () => each.query(bareList(pages(client))))
  try {
    await runTurn(bench, product, Math.min(2, seconds))
    const results: { product: Turn[]; bare: Turn[] } = { product: [], bare: [] }
    for (let turn = 0; turn < turns; turn++) {
      results.product.push(await runTurn(bench, product, seconds / turns))
      results.bare.push(await runTurn(bench, bare, seconds / turns))
    }
    return { product: summed(results.product), bare: summed(results.bare) }
  } finally {
    for (const each of callers) each.close()
    await Promise.all(connections.map((each) => each.end()))
  }
}

/** All clients with one session, and with one API token, in turns. */
async function measureTokens(bench: BenchServer, seconds: number): Promise<{ session: Calls; apiToken: Calls }> {
  const draft = { name: `Bench ${Date.now()}`, role: 'CLOUD_ADMINISTRATOR' } as const
  const { id, token } = (await bench.admin.call('createToken', { body: draft })).body
  const callersWith = (sent: string) => Array.from({ length: clients }, () => createCaller(bench.server.address, sent))
  const [session, apiToken] = [callersWith(bench.token), callersWith(token)]
  const asking = (callers: typeof session) =>
    callers.map((each, client) => () => each.post(`/api/operator/get_tenants?page=${differentPages(client)}`))
  try {
    await runTurn(bench, asking(apiToken), Math.min(2, seconds))
    const results: { session: Turn[]; apiToken: Turn[] } = { session: [], apiToken: [] }
    for (let turn = 0; turn < turns; turn++) {
      results.session.push(await runTurn(bench, asking(session), seconds / turns))
      results.apiToken.push(await runTurn(bench, asking(apiToken), seconds / turns))
    }
    return { session: summed(results.session), apiToken: summed(results.apiToken) }
  } finally {
    for (const each of [...session, ...apiToken]) each.close()
    await bench.admin.call('revokeToken', { params: { id } })
  }
}

function bareList(page: number): string {
  return summarisedList({
    where: 'true',
    page: `select name from rooms order by name desc limit ${pageSize} offset ${page * pageSize}`,
  })
}

/** All in milliseconds. */
interface Turn {
  times: number[]
  duration: number
  cpu: ServersCpu
}

/** Everybody asks again as soon as the answer is there. */
async function runTurn(
  bench: BenchServer,
  askers: readonly (() => Promise<unknown>)[],
  seconds: number,
): Promise<Turn> {
  const times: number[] = []
  const taken = startCpuMeter(bench)
  const begun = performance.now()
  const ask = async (asker: () => Promise<unknown>) => {
    while (performance.now() - begun < seconds * 1000) times.push(await timed(asker))
  }
  await Promise.all(askers.map(ask))
  return { times, duration: performance.now() - begun, cpu: taken() }
}

function summed(turns: readonly Turn[]): Calls {
  const sum = (of: (turn: Turn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  const times = turns.flatMap((each) => each.times)
  const isKnown = turns.every(({ cpu }) => cpu.postgres !== null)
  return {
    perSecond: times.length / (sum(({ duration }) => duration) / 1000),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    serverCpu: sum(({ cpu }) => cpu.server) / times.length,
    postgresCpu: isKnown ? sum(({ cpu }) => cpu.postgres ?? 0) / times.length : null,
  }
}

function row(name: string, { perSecond, p50, p99, serverCpu, postgresCpu }: Calls): string[] {
  const cpu = [serverCpu.toFixed(2), postgresCpu?.toFixed(2) ?? '']
  return [name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), ...cpu]
}
