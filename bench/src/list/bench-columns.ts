/** The first rows and the totals of lists by every column that can be sorted or filtered. */
import { startBenchServer } from '../bench-server.ts'
import { createCaller } from '../http-call.ts'
import { measure, table } from '../measure.ts'
import { report } from '../report.ts'
import { columnContests } from './column-contests.ts'

/** Milliseconds to the first rows. */
const aim = 150

export async function benchColumns(options: {
  rooms: number
  rounds: number
  dataDir: string | undefined
}): Promise<void> {
  const bench = await startBenchServer(options)
  try {
    const caller = createCaller(bench.server.address, bench.token)
    const rows: string[][] = []
    for (const { name, rows: first, total } of columnContests(caller, bench.database)) {
      const { product, bare } = await measure(first, options.rounds, 1)
      const counted = total === null ? null : await measure(total, options.rounds, 1)
      const times = [product, bare, counted?.product, counted?.bare].map((time) => time?.toFixed(0) ?? '')
      rows.push([name, ...times, product <= aim ? 'yes' : 'no'])
    }
    caller.close()
    report(table(['list', 'rows ms', 'bare', 'total ms', 'bare', `rows within ${aim} ms`], rows))
    const missed = rows.filter((row) => row.at(-1) === 'no').length
    report(`${missed} of ${rows.length} take longer. Medians of ${options.rounds}.`)
  } finally {
    await bench.stop()
  }
}
