/** The records of backups: which one is the newest, what deleting the room does, what housekeeping keeps. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { beginReading, whileRemoving } from './backup-uses.ts'
import { newestGoodBackup, newestRestoredBackup } from './find-backup.ts'
import { createObjectStore } from './object-store.ts'
import {
  expireBackupsOfRoom,
  forgetDatabaseBackup,
  forgetRoomBackup,
  newestDatabaseBackup,
  newestDatabaseBackups,
  recordDatabaseBackup,
  recordRoomBackup,
  retainBackupsOfRoom,
} from './record-backup.ts'
import { tidyBackups } from './remove-backup.ts'

const { db } = await createTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-backups-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const stores = { files: createFileStore({ kind: 'folder', folder }), objectStore: createObjectStore(null) }

describe('a record', () => {
  it('that is made twice is one, and can be taken back', async () => {
    const roomId = randomUUID()
    const id = randomUUID()
    const backup = { id, roomId, roomName: 'acme', kind: 'classic', location: 'rooms/a', size: 1, sha256: 'x' } as const
    for (const readBackAt of ['2026-11-21T00:00:00.000Z', null]) await recordRoomBackup(db, { ...backup, readBackAt })
    const rows = () => queryRows(db, 'select id, read_back_at from room_backups where room_id = $1', [roomId])
    expect(await rows()).toMatchObject([{ id, readBackAt: '2026-11-21T00:00:00.000Z' }])
    await db.transaction().execute((tx) => forgetRoomBackup(tx, id))
    await db.transaction().execute((tx) => forgetRoomBackup(tx, id))
    expect(await rows()).toEqual([])
  })
})

it('the backups that a room must not lose are the newest that is whole, else the newest, and the newest restored in a test', async () => {
  const roomId = randomUUID()
  const ids: string[] = [...Array(6)].map(() => randomUUID())
  const times = ['read_back_at', 'restored_at', 'restored_at', 'read_back_at', null, null]
  for (const [age, id] of ids.entries()) {
    const kept = { location: id, size: 1, sha256: 'x', readBackAt: null }
    await recordRoomBackup(db, { id, roomId, roomName: 'acme', kind: 'classic', ...kept })
    const time = times[age] ?? null
    const set = time === null ? '' : `, ${time} = now()`
    await queryRows(db, `update room_backups set created_at = now() - make_interval(days => $2)${set} where id = $1`, [
      id,
      age,
    ])
  }
  const order: (string | null)[] = []
  const restored: (string | null)[] = []
  for (let count = 0; count < 7; count += 1) {
    const id = await newestGoodBackup(db, roomId)
    order.push(id)
    restored.push(await newestRestoredBackup(db, roomId))
    await queryRows(
      db,
      `insert into doctor_findings (key, kind, severity, section, subject, run_id)
       values ($1, 'backup-altered', 'error', 'backups', $1, gen_random_uuid())`,
      [id ?? randomUUID()],
    )
  }
  const ages = (found: (string | null)[]) => found.map((id) => (id === null ? null : ids.indexOf(id)))
  expect(ages(order)).toEqual([0, 1, 2, 3, 4, 5, null])
  expect(ages(restored)).toEqual([1, 1, 2, null, null, null, null])
})

describe('the newest backup of a database', () => {
  it('is found by its name in any case, in its own room', async () => {
    const roomId = randomUUID()
    await newDatabaseBackup(roomId, 'Sales', '3 hours')
    const newest = await newDatabaseBackup(roomId, 'sales', '1 hour')
    const other = await newDatabaseBackup(roomId, 'main', '2 hours')
    await newDatabaseBackup(randomUUID(), 'sales', '0')
    expect(await newestDatabaseBackup(db, roomId, 'SALES')).toMatchObject({ id: newest, storeKey: newest })
    expect((await newestDatabaseBackups(db, roomId)).map(({ id }) => id)).toEqual([other, newest])
    await db.transaction().execute((tx) => forgetDatabaseBackup(tx, other))
    expect(await newestDatabaseBackup(db, roomId, 'main')).toBeNull()
  })
})

describe('housekeeping', () => {
  it('removes database backups that a newer one replaced two days ago', async () => {
    const roomId = randomUUID()
    const oldest = await newDatabaseBackup(roomId, 'main', '5 days')
    const older = await newDatabaseBackup(roomId, 'Main', '3 days')
    const recent = await newDatabaseBackup(roomId, 'main', '1 day')
    const newest = await newDatabaseBackup(roomId, 'main', '0')
    const lonely = await newDatabaseBackup(roomId, 'lonely', '90 days')
    await tidy()
    expect(await present([oldest, older, recent, newest, lonely])).toEqual([false, true, true, true, true])
  })

  it.each([
    ['was not read back', 'update database_backups set checked_at = null, proved_at = null where id = $1'],
    ['could not be read', 'update database_backups set checked_at = now(), proved_at = null where id = $1'],
    [
      'is known to be bad',
      `insert into doctor_findings (key, kind, severity, section, subject, run_id)
       values ($1, 'backup-altered', 'error', 'backups', $1::text, gen_random_uuid())`,
    ],
  ])('keeps the one that a newer one has replaced which %s', async (_, change) => {
    const roomId = randomUUID()
    const older = await newDatabaseBackup(roomId, 'main', '5 days')
    const newer = await newDatabaseBackup(roomId, 'main', '3 days')
    await queryRows(db, change, [newer])
    await tidy()
    expect(await present([older, newer])).toEqual([true, true])
  })

  it('keeps the one that a newer one has replaced whose file is gone', async () => {
    const roomId = randomUUID()
    const older = await newDatabaseBackup(roomId, 'main', '5 days')
    const newer = await newDatabaseBackup(roomId, 'main', '3 days')
    await stores.files.remove(newer)
    await tidy()
    expect(await present([older])).toEqual([true])
  })

  // shows: rooms-backups-30
  it('removes the backups of a deleted room after 30 days, not before', async () => {
    const roomId = randomUUID()
    const ofDatabase = await newDatabaseBackup(roomId, 'main', '0')
    const ofRoom = await newRoomBackup(roomId, 'classic')
    const elsewhere = await newRoomBackup(roomId, 'd2o')
    const ofAnother = await newRoomBackup(randomUUID(), 'classic')
    await expireBackupsOfRoom(db, roomId)
    await tidy()
    expect(await present([ofDatabase, ofRoom, ofAnother])).toEqual([true, true, true])
    const [room] = await queryRows<{ expiresAt: string | null }>(
      db,
      'select expires_at from room_backups where id = $1',
      [ofRoom],
    )
    expect(Math.round((Date.parse(room?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(30)
    for (const table of ['room_backups', 'database_backups'])
      await queryRows(db, `update ${table} set expires_at = '2026-01-01' where room_id = $1`, [roomId])
    await tidy()
    expect(await present([ofDatabase, ofRoom, ofAnother])).toEqual([false, false, true])
    const left = await queryRows(db, 'select from room_backups where id = any($1::uuid[])', [[ofRoom, elsewhere]])
    expect(left).toEqual([])
  })

  it('leaves what somebody reads until that has ended', async () => {
    const roomId = randomUUID()
    const replaced = await newDatabaseBackup(roomId, 'main', '5 days')
    await newDatabaseBackup(roomId, 'main', '3 days')
    const expired = await newRoomBackup(roomId, 'classic')
    await queryRows(db, 'update room_backups set expires_at = now() where id = $1', [expired])
    await queryRows(
      db,
      `insert into operations (id, kind, version, room_name, input, state, started_by)
       values (gen_random_uuid(), 'database.restore', 1, '', $1, 'running', 'x')`,
      [JSON.stringify({ backup: { id: replaced } })],
    )
    const end = await beginReading(db, expired, { kind: 'download', by: 'x' })
    await tidy()
    expect(await present([replaced, expired])).toEqual([true, true])
    await queryRows(db, `update operations set state = 'failed', ended_at = now()`)
    await tidy()
    expect(await present([replaced, expired])).toEqual([false, true])
    await end()
    await tidy()
    expect(await present([expired])).toEqual([false])
  })

  it('leaves what a room needs again, and a room needs nothing that is being removed', async () => {
    const roomId = randomUUID()
    const expired = await newRoomBackup(roomId, 'classic')
    await queryRows(db, `update room_backups set expires_at = now() + interval '1 minute' where id = $1`, [expired])
    const retain = () => db.transaction().execute((tx) => retainBackupsOfRoom(tx, roomId))
    await whileRemoving(db, expired, () => expect(retain()).rejects.toMatchObject({ code: 'backup-in-use' }))
    await retain()
    await tidy()
    expect(await present([expired])).toEqual([true])
  })

  it('removes those that can be removed, however many cannot', async () => {
    const roomId = randomUUID()
    await queryRows(
      db,
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, expires_at)
       select gen_random_uuid(), $1, '', 'classic', '../of/nobody' || n, 1, '', now(), now()
         from generate_series(1, 3000) as n`,
      [roomId],
    )
    const good = await newRoomBackup(roomId, 'classic')
    await queryRows(db, 'update room_backups set expires_at = now() where id = $1', [good])
    await expect(tidy()).rejects.toThrow()
    expect(await present([good])).toEqual([false])
    await queryRows(db, 'delete from room_backups where room_id = $1', [roomId])
  })
})

async function tidy(): Promise<void> {
  await lookAtTime(db)
  await tidyBackups(db, stores)
}

/** @returns the id of the backup, which is also its key in the store */
async function newDatabaseBackup(roomId: string, databaseName: string, age: string): Promise<string> {
  const id = randomUUID()
  const kept = await stores.files.put(id, content())
  const backup = { id, roomId, databaseName, storeKey: id, ...kept, sealedPassword: 'sealed' }
  await recordDatabaseBackup(db, { ...backup, readBackAt: '2026-11-21T00:00:00.000Z' })
  await queryRows(db, 'update database_backups set created_at = now() - $2::interval where id = $1', [id, age])
  return id
}

async function newRoomBackup(roomId: string, kind: 'classic' | 'd2o'): Promise<string> {
  const id = randomUUID()
  const kept = await stores.files.put(id, content())
  const location = kind === 'classic' ? id : 's3://bucket/key'
  await recordRoomBackup(db, { id, roomId, roomName: 'acme', kind, location, ...kept, readBackAt: null })
  return id
}

function present(keys: string[]): Promise<boolean[]> {
  return Promise.all(keys.map(async (key) => (await stores.files.stat(key)) !== null))
}

async function* content() {
  yield Buffer.from('abc')
}
