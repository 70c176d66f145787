/** The statistics screen's counts over HTTP, for the filters that differ in how they are counted; and the overview. */
import { type BenchServer, type BenchServerOptions, startBenchServer } from '../bench-server.ts'
import { median, table, timed } from '../measure.ts'
import { report } from '../report.ts'
import { benchOverview } from './bench-overview.ts'

const listed = 'filter_keys=projectRoomState&filter_values=SUSPENDED%7C%7CDEFAULT&filter_conditions=EQUALS'
export const statisticsCases = {
  all: { title: 'all rooms', query: '' },
  screen: { title: 'active and suspended (as the screen asks)', query: listed },
  product: {
    title: 'of one product, active and suspended',
    query:
      'filter_keys=projectRoomState,product&filter_values=SUSPENDED%7C%7CDEFAULT,1&filter_conditions=EQUALS,EQUALS',
  },
  search: {
    title: 'rare search',
    query: 'search_keys=tenantName,customerFirstName,customerLastName,customerEmail&search_values=zzq,zzq,zzq,zzq',
  },
  since: {
    title: 'created since 2020',
    query: 'filter_keys=creationDate&filter_values=2020-01-01&filter_conditions=AFTER',
  },
}

/** Milliseconds. */
export interface StatisticsTimes {
  /** Its name among `statisticsCases`. */
  id: string
  title: string
  median: number
  slowest: number
}

export async function benchStatistics(options: BenchServerOptions & { rounds: number }): Promise<void> {
  const bench = await startBenchServer(options)
  try {
    const times = await measureStatistics(bench, options.rounds)
    const rows = times.map(({ title, median, slowest }) => [title, median.toFixed(1), slowest.toFixed(1)])
    report(`${table(['statistics', 'median ms', 'slowest ms'], rows)}\n\n${options.rounds} rounds.`)
    report(await benchOverview(bench, options.rounds))
  } finally {
    await bench.stop()
  }
}

export async function measureStatistics(bench: BenchServer, rounds: number): Promise<StatisticsTimes[]> {
  const results: StatisticsTimes[] = []
  for (const [id, { title, query }] of Object.entries(statisticsCases)) {
    const ask = () => answerOf(`${bench.server.address}/api/operator/statistics?${query}`, bench.token)
    for (let warmUp = 0; warmUp < 3; warmUp++) await ask()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timed(ask))
    results.push({ id, title, median: median(times), slowest: Math.max(...times) })
  }
  return results
}

async function answerOf(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}
