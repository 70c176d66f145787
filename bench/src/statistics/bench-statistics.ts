/** The statistics screen's counts over HTTP, for the filters that differ in how they are counted. */
import { startBenchServer } from '../bench-server.ts'
import { median, table, timed } from '../measure.ts'

const listed = 'filter_keys=projectRoomState&filter_values=SUSPENDED%7C%7CDEFAULT&filter_conditions=EQUALS'
const cases: [string, string][] = [
  ['all rooms', ''],
  ['active and suspended (as the screen asks)', listed],
  [
    'of one product, active and suspended',
    'filter_keys=projectRoomState,product&filter_values=SUSPENDED%7C%7CDEFAULT,1&filter_conditions=EQUALS,EQUALS',
  ],
  [
    'rare search',
    'search_keys=tenantName,customerFirstName,customerLastName,customerEmail&search_values=zzq,zzq,zzq,zzq',
  ],
  ['created since 2020', 'filter_keys=creationDate&filter_values=2020-01-01&filter_conditions=AFTER'],
]

export async function benchStatistics(options: {
  rooms: number
  rounds: number
  dataDir: string | undefined
}): Promise<void> {
  const bench = await startBenchServer(options)
  try {
    const rows: string[][] = []
    for (const [name, query] of cases) {
      const ask = () => answerOf(`${bench.server.address}/api/operator/statistics?${query}`, bench.token)
      for (let warmUp = 0; warmUp < 3; warmUp++) await ask()
      const times: number[] = []
      for (let round = 0; round < options.rounds; round++) times.push(await timed(ask))
      rows.push([name, median(times).toFixed(1), Math.max(...times).toFixed(1)])
    }
    console.log(`${table(['statistics', 'median ms', 'slowest ms'], rows)}\n\n${options.rounds} rounds.`)
  } finally {
    await bench.stop()
  }
}

async function answerOf(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}
