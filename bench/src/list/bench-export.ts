/** The export over HTTP, compared with psql's \copy of the same query. */
import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { roomExportQuery } from '@roomkeeper/contract'
import { openDatabase } from '../../../apps/server/src/platform/database.ts'
import { exportStatement } from '../../../apps/server/src/rooms/list/export-rooms.ts'
import type { BenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { median, timed } from '../measure.ts'
import { memoryOf } from '../process-cost.ts'

export interface ExportResult {
  rowsPerSecond: number
  /** The same of psql. */
  copiedPerSecond: number
  /** Milliseconds until the first byte. */
  firstByte: number
  /** The server's memory in MiB. */
  memory: { before: number; peak: number; after: number }
}

const rounds = 3

export async function benchExport(bench: BenchServer): Promise<ExportResult> {
  const rows = await countRooms(bench.database)
  const query = await exportQuery(bench)
  const { pid } = bench.server.child
  const times = { product: [] as number[], firstByte: [] as number[], copy: [] as number[] }
  const before = memoryOf(pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 50)
  for (let round = 0; round < rounds; round++) {
    times.product.push(await timed(async () => times.firstByte.push(await download(bench))))
    times.copy.push(await timed(() => copy(bench, query)))
  }
  clearInterval(watch)
  const perSecond = (milliseconds: number[]) => (rows / median(milliseconds)) * 1000
  return {
    rowsPerSecond: perSecond(times.product),
    copiedPerSecond: perSecond(times.copy),
    firstByte: median(times.firstByte),
    memory: { before, peak, after: memoryOf(pid) },
  }
}

/**
 * With curl, which costs about what psql does; Node's own client takes more CPU for an export than the server, on the
 * same cores.
 * @returns milliseconds until the first byte
 */
function download(bench: BenchServer): Promise<number> {
  const url = `${bench.server.address}/api/operator/export_tenants`
  const child = spawn('curl', ['--silent', '--fail', '--output', '/dev/null', '--config', '-'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(
    [`url = "${url}"`, `header = "authorization: Bearer ${bench.token}"`, 'write-out = "%{time_starttransfer}"'].join(
      '\n',
    ),
  )
  return Promise.all([text(child.stdout), untilEnded(child)]).then(([seconds]) => Number(seconds) * 1000)
}

/** The statement that the product runs, so that psql makes the database do the same work. */
async function exportQuery({ databaseUrl }: BenchServer): Promise<string> {
  const database = openDatabase(databaseUrl)
  try {
    return (await exportStatement(database, roomExportQuery.decode({}))).replaceAll(/\s+/g, ' ')
  } finally {
    await database.close()
  }
}

function copy(bench: BenchServer, query: string): Promise<void> {
  const command = `\\copy (${query}) to '/dev/null' with (format csv, header)`
  const args = ['-X', '-q', bench.databaseUrl, '-c', command]
  return untilEnded(spawn('psql', args, { stdio: ['ignore', 'ignore', 'inherit'] }))
}

function untilEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with ${code}.`))))
  })
}
