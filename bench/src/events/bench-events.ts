/** Consoles with live events while rooms change: how late a console hears of a change, and what that costs the API. */
import { type ClientRequest, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { roles } from '@roomkeeper/contract'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import pg from 'pg'
import { median, percentile, table } from '../measure.ts'
import { cpuOf } from '../process-cost.ts'
import { report } from '../report.ts'

const consoles = 300
const changesPerSecond = 50
const prefix = 'bench-at-'

export async function benchEvents({ seconds }: { seconds: number }): Promise<void> {
  const network = await bootNetwork({ regions: 0, env: { PROCESS: 'api' } })
  const database = new pg.Client({ connectionString: network.database.url })
  await database.connect()
  const delays: number[] = []
  let isMeasured = false
  const heard = (text: string) => {
    if (!isMeasured) return
    const now = performance.now()
    for (const [, at] of text.matchAll(/"bench-at-([\d.]+)"/g)) delays.push(now - Number(at))
  }
  try {
    const { address } = network.server
    const tokens = await tokensOf(network)
    const streams = await Promise.all(
      Array.from({ length: consoles }, (_, number) =>
        openStream(`${address}/api/operator/events`, tokens[number % tokens.length] ?? '', heard),
      ),
    )
    const { pid } = network.server.child
    await change(database, 2)
    await pause(500)
    isMeasured = true
    const [cpu, own, begun] = [cpuOf(pid), process.cpuUsage(), performance.now()]
    const changes = await change(database, seconds)
    await pause(500)
    const passed = performance.now() - begun
    const spent = process.cpuUsage(own)
    const rows: [string, string][] = [
      ['delay, ms: median', median(delays).toFixed(0)],
      ['delay, ms: p99 (longest)', `${percentile(delays, 0.99).toFixed(0)} (${percentile(delays, 1).toFixed(0)})`],
      ['CPU of the API, % of a core', (((cpuOf(pid) - cpu) / passed) * 100).toFixed(1)],
      ['CPU of the 300 readers here, % of a core', ((spent.user + spent.system) / passed / 10).toFixed(1)],
      ['heard of those that were to be heard, %', ((delays.length / (changes * consoles)) * 100).toFixed(2)],
    ]
    report(`${consoles} consoles, ${(changes / seconds).toFixed(0)} changes/s for ${seconds} s`)
    report(table(['live events', 'measured'], rows))
    for (const stream of streams) stream.destroy()
  } finally {
    await database.end()
    await network.stop()
  }
}

/** A token may open 20 streams, and an operator 100. */
async function tokensOf(network: Network): Promise<string[]> {
  const tokens: string[] = []
  for (const role of roles) {
    const operator = await network.as(role)
    for (const name of ['One', 'Two', 'Three', 'Four'])
      tokens.push((await operator.call('createToken', { body: { name, role } })).body.token)
  }
  return tokens
}

/** Announces changes as the server does, each in a transaction of its own. @returns how many */
async function change(database: pg.Client, seconds: number): Promise<number> {
  const begun = performance.now()
  const changes = seconds * changesPerSecond
  for (let n = 0; n < changes; n++) {
    const payload = { type: 'room', room: `${prefix}${performance.now()}`, gone: false }
    await database.query('insert into events (payload) values ($1)', [JSON.stringify(payload)])
    await pause(Math.max(0, begun + ((n + 1) * 1000) / changesPerSecond - performance.now()))
  }
  return changes
}

/** Resolves when the stream has begun. */
function openStream(url: string, token: string, heard: (text: string) => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.setEncoding('utf8')
      answer.once('data', () => resolve(asked))
      answer.on('data', heard)
      answer.on('error', () => undefined)
    })
    asked.on('error', reject)
    asked.end()
  })
}
