/** The export over HTTP, compared with psql's \copy of the same query (or a bare COPY if there is no psql). */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { roomExportQuery } from '@roomkeeper/contract'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openDatabase } from '../../../apps/server/src/platform/database.ts'
import { exportStatement } from '../../../apps/server/src/rooms/list/export-rooms.ts'
import type { BenchServer } from '../bench-server.ts'
import { countRooms } from '../fill-with-rooms.ts'
import { median, timed } from '../measure.ts'

export interface ExportResult {
  name: string
  isProduct: boolean
  rowsPerSecond: number
  /** Milliseconds until the first byte; null for psql. */
  firstByte: number | null
  /** The server's memory in MiB; null for psql. */
  memory: { before: number; peak: number; after: number } | null
}

const rounds = 3

export async function benchExport(bench: BenchServer): Promise<ExportResult[]> {
  const rows = await countRooms(bench.database)
  const query = await exportQuery(bench)
  const psql = findPsql()
  const copy = psql === null ? () => bareCopy(bench, query) : () => psqlCopy(psql, bench, query)
  const times = { product: [] as number[], firstByte: [] as number[], copy: [] as number[] }
  const before = residentMebibytes(bench)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMebibytes(bench))
  }, 50)
  for (let round = 0; round < rounds; round++) {
    times.product.push(await timed(async () => times.firstByte.push(await download(bench))))
    times.copy.push(await timed(copy))
  }
  clearInterval(watch)
  const memory = { before, peak, after: residentMebibytes(bench) }
  const perSecond = (milliseconds: number[]) => (rows / median(milliseconds)) * 1000
  const copyName = psql === null ? 'COPY through pg (psql was not found)' : 'psql \\copy'
  return [
    {
      name: 'product over HTTP',
      isProduct: true,
      rowsPerSecond: perSecond(times.product),
      firstByte: median(times.firstByte),
      memory,
    },
    { name: copyName, isProduct: false, rowsPerSecond: perSecond(times.copy), firstByte: null, memory: null },
  ]
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

function psqlCopy(psql: string, bench: BenchServer, query: string): Promise<void> {
  const command = `\\copy (${query}) to '/dev/null' with (format csv, header)`
  const args = ['-X', '-q', bench.databaseUrl, '-c', command]
  return untilEnded(spawn(psql, args, { stdio: ['ignore', 'ignore', 'inherit'] }))
}

function untilEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${child.spawnfile} ended with ${code}.`))))
  })
}

async function bareCopy(bench: BenchServer, query: string): Promise<void> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  await pipeline(client.query(copyTo(`copy (${query}) to stdout with (format csv, header)`)), nowhere())
  await client.end()
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

function findPsql(): string | null {
  const debian = '/usr/lib/postgresql'
  const folders = [...(process.env.PATH ?? '').split(':'), ...list(debian).map((version) => `${debian}/${version}/bin`)]
  const folder = folders.find((each) => list(each).includes('psql'))
  return folder === undefined ? null : `${folder}/psql`
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The memory of the server process; 0 if /proc does not tell. */
function residentMebibytes({ server }: BenchServer): number {
  try {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
