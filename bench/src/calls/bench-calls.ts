/**
 * Calls per second: the first page of the list of rooms for many clients at once, beside the same number of connections
 * that ask PostgreSQL for the same answer with hand-written SQL, in turns; and the same page with an API token beside
 * that with a session.
 */
import pg from 'pg'
import { type BenchServer, type BenchServerOptions, startBenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { createCaller } from '../http-call.ts'
import { summarisedList } from '../list/bare-sql.ts'
import { table } from '../measure.ts'
import { report } from '../report.ts'
import { measureTraced } from './measure-traced.ts'
import { type Calls, clients, inTurns, type Side } from './turns.ts'

const turns = 4
const pageSize = 20

/** Which page each client asks for. */
type Pages = (client: number) => number
const firstPage: Pages = () => 0
const differentPages: Pages = (client) => client

export async function benchCalls(options: BenchServerOptions & { seconds: number }): Promise<void> {
  const bench = await startBenchServer(options, { TOKEN_CALLS_PER_SECOND: '10000' })
  try {
    const same = await measureCalls(bench, options.seconds)
    const different = await measureCalls(bench, options.seconds, differentPages)
    const { session, apiToken, boundToken } = await measureTokens(bench, options.seconds)
    const { traced, untraced } = await measureTraced(bench, options.seconds)
    const rooms = (await countRooms(bench.database)).toLocaleString('en')
    report(`a page of ${rooms} rooms, ${clients} clients`)
    const header = ['', 'calls/s', 'p50 ms', 'p99 ms', 'CPU of the server per call, ms', 'of PostgreSQL']
    const rows = [
      row('first page for all: product over HTTP', same.product),
      row('first page for all: bare SQL', same.bare),
      row('a page of its own for each: product over HTTP', different.product),
      row('a page of its own for each: bare SQL', different.bare),
      row('first page for all: session', session),
      row('first page for all: API token', apiToken),
      row('first page for all: API token with three networks', boundToken),
      row('first page for all, PROCESS=api: not traced', untraced),
      row('first page for all, PROCESS=api: traced', traced),
    ]
    report(table(header, rows))
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
    return await inTurns({ product: { bench, askers: product }, bare: { bench, askers: bare } }, seconds, turns)
  } finally {
    for (const each of callers) each.close()
    await Promise.all(connections.map((each) => each.end()))
  }
}

/**
 * Measures in turns all clients with one session, with one API token, and with one that counts only from some networks.
 * They make the cheapest call, whose cost is mostly the look-up.
 */
async function measureTokens(
  bench: BenchServer,
  seconds: number,
): Promise<Record<'session' | 'apiToken' | 'boundToken', Calls>> {
  const open = await newToken(bench, [])
  const bound = await newToken(bench, ['10.0.0.0/8', '2001:db8::/32', '127.0.0.0/8'])
  const callersWith = (sent: string) => Array.from({ length: clients }, () => createCaller(bench.server.address, sent))
  const [session, apiToken, boundToken] = [callersWith(bench.token), callersWith(open.token), callersWith(bound.token)]
  const asking = (callers: typeof session): Side => ({
    bench,
    askers: callers.map((each, client) => () => each.post(`/api/operator/get_tenants?page=${firstPage(client)}`)),
  })
  try {
    const sides = { session: asking(session), apiToken: asking(apiToken), boundToken: asking(boundToken) }
    return await inTurns(sides, seconds, turns)
  } finally {
    for (const each of [...session, ...apiToken, ...boundToken]) each.close()
    for (const { id } of [open, bound]) await bench.admin.call('revokeToken', { params: { id } })
  }
}

async function newToken(bench: BenchServer, networks: readonly string[]) {
  const name = `Bench ${Date.now()}, ${networks.length} networks`
  const role = 'CLOUD_ADMINISTRATOR'
  return (await bench.admin.call('createToken', { body: { name, role, networks: [...networks] } })).body
}

function bareList(page: number): string {
  return summarisedList({
    where: 'true',
    page: `select name from rooms order by name desc limit ${pageSize} offset ${page * pageSize}`,
  })
}

function row(name: string, { perSecond, p50, p99, serverCpu, postgresCpu }: Calls): string[] {
  const cpu = [serverCpu.toFixed(2), postgresCpu?.toFixed(2) ?? '']
  return [name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), ...cpu]
}
