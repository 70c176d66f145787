/** The list of rooms and its export, compared with bare SQL and psql's \copy. */
import { startBenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { createCaller } from '../http-call.ts'
import { measure, type Result, table } from '../measure.ts'
import { report } from '../report.ts'
import { benchExport, type ExportResult } from './bench-export.ts'
import { listContests } from './list-contests.ts'

export async function benchList(options: {
  rooms: number
  rounds: number
  dataDir: string | undefined
}): Promise<void> {
  const bench = await startBenchServer(options)
  try {
    const count = await countRooms(bench.database)
    report(`${count.toLocaleString('en')} rooms`)
    const caller = createCaller(bench.server.address, bench.token)
    const results: Result[] = []
    for (const contest of listContests(caller, bench.database, count))
      results.push(await measure(contest, options.rounds))
    caller.close()
    report(listTable(results, options.rounds))
    report(exportTable(await benchExport(bench)))
  } finally {
    await bench.stop()
  }
}

function listTable(results: readonly Result[], rounds: number): string {
  const rows = results.map(({ name, product, bare }) => {
    const isWithinAim = product <= bare * 1.3 + 2
    const times = [product, bare].map((time) => time.toFixed(1))
    return [name, ...times, (product / bare).toFixed(2), (product - bare).toFixed(1), isWithinAim ? 'yes' : 'no']
  })
  return `${table(['list', 'product ms', 'bare SQL ms', 'ratio', 'difference ms', 'within 1.3 × + 2 ms'], rows)}\n\nMedians of ${rounds}.`
}

function exportTable({ rowsPerSecond, copiedPerSecond, firstByte, memory }: ExportResult): string {
  const rates = (rate: number) => [
    Math.round(rate).toLocaleString('en'),
    `${Math.round((rate / copiedPerSecond) * 100)} %`,
  ]
  const memories = [memory.before, memory.peak, memory.after].map(Math.round).join(', ')
  const rows = [
    ['product over HTTP', ...rates(rowsPerSecond), firstByte.toFixed(0), memories],
    ['psql \\copy', ...rates(copiedPerSecond), '', ''],
  ]
  return table(['export', 'rows/s', 'of \\copy', 'first byte ms', "server's memory MiB: before, peak, after"], rows)
}
