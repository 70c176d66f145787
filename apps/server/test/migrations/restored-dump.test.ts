/**
 * A dump is taken while one room moves, another is about to be deleted, a third one by a bulk, and a deleted one is about
 * to be purged. Then the move ends, the rest is cancelled, the deleted room comes back, and users work in all of them.
 * Nothing of theirs is lost when the database is restored from the dump.
 * Needs an installed PostgreSQL with its programs; skipped without one.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  administrator,
  type RunningRegion,
  type RunningServer,
  repository,
  roomDraft,
  type SignedInClient,
  signIn,
  startRegion,
  startServer,
  until,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InstalledPostgres, installedPrograms, startInstalledPostgres } from '../installed-postgres.ts'

let postgres: InstalledPostgres
let regions: RunningRegion[]
const moved = roomDraft().tenantName
const kept = roomDraft().tenantName
const inBulk = roomDraft().tenantName
const purged = roomDraft().tenantName
/** What the rooms hold after the users' work, which is later than the dump. */
let contents: Record<string, string[]>[]

beforeAll(async () => {
  if (installedPrograms === null) return
  postgres = await startInstalledPostgres()
  postgres.run('createdb', ['roomkeeper'])
  const start = (name: string) => startRegion({ name, dataDir: join(postgres.dir, name) })
  regions = await Promise.all([start('region-1'), start('region-2')])
  const console = await open('roomkeeper')
  const { admin } = console
  for (const { name: regionName, url: regionIPorURL, userName, password, systemPassword } of regions)
    await admin.call('createRegion', {
      body: { regionName, regionIPorURL, userName, password, passwordSystem: systemPassword },
    })
  for (const tenantName of [moved, kept, inBulk, purged])
    await admin.call('createRoom', { body: roomDraft({ tenantName }) })
  await settle(console)
  for (const room of [moved, kept]) await write(0, room, 'before')
  await admin.call('deleteRoom', { body: { roomName: purged } })
  await settle(console)
  const [{ id: deletedId = '' } = {}] = (await admin.call('deletedRooms', {})).body.data
  const { id } = (await admin.call('saveLiveMigration', { body: { sourceRegion: 1, targetRegion: 2 } })).body
  await setFaults(1, [{ method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 503, times: 100_000 }])
  const body = { liveMigrationData: { id }, selectedRooms: [moved], skippActiveSessions: true }
  await admin.call('startLiveMigration', { body })
  const isCopied = `select 1 from operations where kind = 'room.migrate' and step_id = 'restore-copy'`
  await until('the room is copied', async () => (await console.rows(isCopied)).length > 0)
  // The source has one slot, so the deletion waits in the queue. It is cancelled later, and the room is kept.
  const deletion = (await admin.call('deleteRoom', { body: { roomName: kept } })).body.operationId

  const selection = { rooms: [inBulk] }
  const bulk = { action: 'delete', selection, parameters: { withoutBackup: false }, expectedTotal: 1 } as const
  const bulkId = (await admin.call('startBulk', { body: bulk })).body.operationId
  const isBegun = `select 1 from operations where kind = 'room.delete' and room_name = $1`
  await until('the bulk has begun', async () => (await console.rows(isBegun, [inBulk])).length > 0)
  const params = { id: deletedId }
  // A region that does no jobs keeps it waiting.
  const purge = (await admin.call('purgeDeletedRoom', { params, body: { typedName: purged } })).body.operationId

  postgres.run('pg_dump', ['-Fc', '-f', join(postgres.dir, 'dump'), 'roomkeeper'])

  await admin.call('cancelOperation', { params: { id: deletion } })
  await admin.call('cancelBulk', { params: { id: bulkId } })
  await admin.call('cancelOperation', { params: { id: purge } })
  await setFaults(1, [])
  await settle(console)
  await admin.call('restoreDeletedRoom', { params, body: {} })
  await settle(console)
  await write(1, moved, 'after')
  for (const room of [kept, inBulk, purged]) await write(0, room, 'after')
  contents = await contentsOfAll()
  expect(contents).toEqual([
    { [kept]: ['after', 'before'], [inBulk]: ['after'], [purged]: ['after'] },
    { [moved]: ['after', 'before'] },
  ])
  await console.close()
}, 120_000)
afterAll(async () => {
  for (const region of regions ?? []) await region.stop('SIGKILL')
  postgres?.stop()
})

describe.skipIf(installedPrograms === null)('a room that had moved when the database was put back', () => {
  it('is not removed by the undo of its move: it is an error that says where it is', async () => {
    restore('failed-over')
    // As after a failover to a standby that lost the end of the move. The rest is not part of this test.
    const client = new pg.Client({ connectionString: postgres.urlOf('failed-over') })
    await client.connect()
    await client.query(`delete from operations where kind in ('room.delete', 'bulk.run', 'room.purge')`)
    await client.query(`update rooms set state = 'DEFAULT' where name in ($1, $2)`, [kept, inBulk])
    await client.end()
    const console = await open('failed-over')
    await settle(console)
    expect(await contentsOfAll()).toEqual(contents)
    const { state, region, error } = await console.room(moved)
    expect({ state, region }).toEqual({ state: 'ERROR', region: 1 })
    expect(error).toContain('region-1 does not have the project room, region-2 has it: most likely the move had ended')
    await console.close()
  })

  it('stays where it is after a restored dump, and a retry takes it as moved; nothing else goes on by itself', async () => {
    restore('restored')
    const keep = `keep=${administrator.email}`
    postgres.run('psql', ['-v', keep, '-f', join(repository, 'deploy/after-restore.sql'), 'restored'])
    const console = await open('restored')
    expect(await console.rows('select kind from operations where ended_at is null')).toEqual([])
    expect(await console.room(moved)).toMatchObject({ state: 'ERROR', region: 1 })
    expect(await console.room(kept)).toMatchObject({
      state: 'ERROR',
      error: expect.stringContaining('taken before this deletion had ended'),
    })
    expect((await console.room(inBulk)).state).toBe('ERROR')
    expect(await console.rows('select state from bulks')).toEqual([{ state: 'FAILED' }])
    const [deleted] = (await console.admin.call('deletedRooms', {})).body.data
    expect(deleted).toMatchObject({
      projectRoomName: purged,
      state: 'KEPT',
      operationId: null,
      backup: { kind: 'classic' },
    })
    // What the region has is newer than any backup.
    await console.admin.call('restoreDeletedRoom', { params: { id: deleted?.id ?? '' }, body: {} })
    await settle(console)
    await console.retry(moved)
    await settle(console)
    expect(await console.room(moved)).toEqual({ state: 'DEFAULT', region: 2, error: null })
    expect(await contentsOfAll()).toEqual(contents)
    const counted = await console.rows('select room_count from regions order by id')
    expect(counted).toEqual([{ room_count: 2 }, { room_count: 1 }])
    await console.close()
  })
})

interface Console {
  admin: SignedInClient
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>
  room(name: string): Promise<{ state: string; region: number; error: string | null }>
  /** Retries the newest operation of the room. */
  retry(name: string): Promise<void>
  close(): Promise<void>
}

async function open(database: string): Promise<Console> {
  const env = { DATABASE_URL: postgres.urlOf(database), DATA_DIR: join(postgres.dir, 'server'), EMBEDDED_REGIONS: '0' }
  const server: RunningServer = await startServer({
    ...env,
    SECRET_KEY: 'a secret key for tests only',
    REGION_CONCURRENCY: '1',
  })
  const admin = await signIn(() => server.address, administrator)
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 1 })
  pool.on('error', () => undefined)
  const rows: Console['rows'] = async (text, values = []) => (await pool.query(text, values)).rows
  return {
    admin,
    rows,
    async room(name) {
      const [row] = await rows<{ state: string; region: number; error: string | null }>(
        'select state, region_id as region, error_message as error from rooms where name = $1',
        [name],
      )
      if (row === undefined) throw new Error(`There is no room ${name}.`)
      return row
    },
    async retry(name) {
      const [row] = await rows<{ id: string }>(
        'select id from operations where room_name = $1 order by created_at desc limit 1',
        [name],
      )
      await admin.call('retryOperation', { params: { id: row?.id ?? '' } })
    },
    async close() {
      await server.stop()
      await pool.end()
    },
  }
}

function restore(database: string): void {
  postgres.run('createdb', [database])
  postgres.run('pg_restore', ['--exit-on-error', '--no-owner', '-d', database, join(postgres.dir, 'dump')])
}

const settle = ({ rows }: Console) =>
  until('all has ended', async () => (await rows('select 1 from operations where ended_at is null')).length === 0, 60)

const json = { 'content-type': 'application/json' }

async function setFaults(index: number, rules: object[]): Promise<void> {
  await fetch(`${regionAt(index).url}/faults`, { method: 'PUT', headers: json, body: JSON.stringify(rules) })
}

/** Writes a document as a user of the room. */
async function write(index: number, room: string, document: string): Promise<void> {
  const { url, client } = regionAt(index)
  const { id, token } = await client.openSession(room, 'owner@example.com')
  const answer = await fetch(`${url}/rooms/${room}/databases/main/documents/${document}`, {
    method: 'PUT',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: '{}',
  })
  expect(answer.status).toBe(200)
  await client.endSession(room, id)
}

/** The names of the documents, by room, for each region. */
async function contentsOfAll(): Promise<Record<string, string[]>[]> {
  return Promise.all(
    regions.map(async ({ client, dataDir }) => {
      const { rooms } = await client.rooms()
      return Object.fromEntries(rooms.map(({ name }) => [name, documentsIn(join(dataDir, 'rooms', name))]))
    }),
  )
}

function documentsIn(folder: string): string[] {
  const file = new DatabaseSync(join(folder, 'databases', 'main.db'), { readOnly: true })
  const rows = file.prepare('select id from documents order by id').all() as { id: string }[]
  file.close()
  return rows.map(({ id }) => id)
}

function regionAt(index: number): RunningRegion {
  const region = regions[index]
  if (region === undefined) throw new Error(`There is no region ${index}.`)
  return region
}
