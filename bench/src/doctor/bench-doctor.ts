/**
 * Runs the doctor over ever more rooms, backups and audit entries: measures how long it takes and that its memory does
 * not grow with them. There are no findings, so what is measured is the reading.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { administrator, callDoctor, signIn } from '@roomkeeper/dev-env'
import type pg from 'pg'
import { type BenchServer, startBenchServer } from '../bench-server.ts'
import { fillWithRooms } from '../fill-with-rooms.ts'
import { table } from '../measure.ts'
import { peakOf } from '../process-cost.ts'
import { report } from '../report.ts'
import { type ListingRegion, startListingRegion } from './listing-region.ts'

const regionCount = 3
const secretKey = 'a secret key for this measurement'

export async function benchDoctor({ rooms, dataDir }: { rooms: number; dataDir: string | undefined }): Promise<void> {
  const bench = await startBenchServer({ rooms: 0, dataDir }, { SECRET_KEY: secretKey })
  const regions: ListingRegion[] = []
  try {
    for (let number = 1; number <= regionCount; number += 1)
      regions.push(await startListingRegion(bench.databaseUrl, `seed-${number}`, number))
    for (const region of regions) await register(bench, region)
    const runs: Run[] = []
    for (const part of [rooms / 10, (rooms * 3) / 10, rooms]) {
      await fill(bench.database, Math.round(part))
      runs.push(await examineAll(bench, regions))
      console.error(JSON.stringify(runs.at(-1)))
    }
    report(doctorTable(runs))
  } finally {
    for (const region of regions) await region.stop()
    await bench.stop()
  }
}

interface Run {
  rooms: number
  seconds: number
  pages: number
  /** In MiB. */
  peak: number
}

/** Registers the region under the name that seeded rooms refer to, or changes the URL of an earlier run's region. */
async function register({ database, server }: BenchServer, { name, url }: ListingRegion): Promise<void> {
  const { rowCount } = await database.query('update regions set url = $2 where name = $1', [name, url])
  if (rowCount !== 0) return
  const admin = await signIn(() => server.address, administrator)
  const login = { userName: 'superuser', password: 'password', passwordSystem: 'password' }
  const productVersion: ['ARIS', 'MINING', 'ENTERPRISE'] = ['ARIS', 'MINING', 'ENTERPRISE']
  const body = { regionName: name, regionIPorURL: url, ...login, productVersion, maxNumOfTenants: -1 }
  await admin.call('createRegion', { body })
}

/** Gives each room an audit entry, and a backup in a foreign bucket, so that the doctor checks no file. */
async function fill(database: pg.Client, rooms: number): Promise<void> {
  await fillWithRooms(database, { rooms, regions: regionCount })
  await database.query(`
    insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
    select gen_random_uuid(), id, name, 'd2o', 's3://another/' || name || '.zip', 1073741824, repeat('0', 64) from rooms
     where not exists (select from room_backups where room_id = rooms.id)`)
  await database.query(`
    insert into audit (actor, action, room_id, room_name, detail)
    select 'bench', 'room.create', id, name, 'made for a measurement' from rooms
     where not exists (select from audit where room_id = rooms.id)`)
  // Wait until the server has sealed the entries, so that its work is not measured too.
  for (;;) {
    const { rows } = await database.query('select from audit_unsealed limit 1')
    if (rows.length === 0) break
    await pause(500)
  }
  await database.query('vacuum analyze')
}

const peakEvery = 50

async function examineAll({ dataDir, databaseUrl }: BenchServer, regions: readonly ListingRegion[]): Promise<Run> {
  const pagesOf = () => regions.reduce((sum, region) => sum + region.pages(), 0)
  const before = pagesOf()
  let pid = 0
  let peak = 0
  const timer = setInterval(() => {
    // Zero when the doctor has ended.
    if (pid !== 0) peak = Math.max(peak, Math.round(peakOf(pid)))
  }, peakEvery)
  try {
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey, EMBEDDED_REGIONS: '0' }
    const { rooms, seconds, findings } = await callDoctor(env, (started) => {
      pid = started
    })
    if (findings.length > 0) throw new Error(`Something was found: ${findings[0]?.text}`)
    return { rooms, seconds, pages: pagesOf() - before, peak }
  } finally {
    clearInterval(timer)
  }
}

function doctorTable(runs: readonly Run[]): string {
  const rows = runs.map(({ rooms, seconds, pages, peak }) => [
    rooms.toLocaleString('en'),
    seconds.toFixed(0),
    ((seconds * 1000) / rooms).toFixed(2),
    pages.toLocaleString('en'),
    String(peak),
    (peak / (runs[0]?.peak ?? Number.NaN)).toFixed(2),
  ])
  return table(
    [
      'project rooms, backups and entries',
      's',
      'ms per room',
      'pages of regions',
      'highest resident size, MiB',
      'of the first',
    ],
    rows,
  )
}
