/** The columns about a room's last backup: triggers keep them, so that every writer of backups updates them. */
import { randomUUID } from 'node:crypto'
import { roomListQuery } from '@roomkeeper/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { recountLastBackups } from '#doctor/repairs/recount.ts'
import { insertRegion, insertRoomBackups, insertRooms } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listRooms } from './list-rooms.ts'

const database = await createTestDatabase()
const { db, pool } = database
const [january, march] = ['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']

afterEach(() =>
  pool.query('truncate rooms, regions, operations, room_backups, doctor_findings restart identity cascade'),
)

/** By the rooms' names: when they were backed up, and when that backup was restored in a test. */
async function lastBackups() {
  const { data } = await listRooms(database, { ...z.decode(roomListQuery, {}), order_dir: 'asc' })
  return data.map(({ tenantName, lastBackupAt, lastBackupVerifiedAt }) => [
    tenantName,
    lastBackupAt,
    lastBackupVerifiedAt,
  ])
}

const report = (id: string | undefined, kind: string) =>
  pool.query(
    `insert into doctor_findings (key, kind, severity, section, subject, run_id)
     values ($1, $2, 'error', 'backups', $1::text, gen_random_uuid())`,
    [id, kind],
  )

test('a backup that is removed, or known to be bad, gives way to the one before, and comes back with its file', async () => {
  await insertRooms(db, [{ name: 'aaa' }, { name: 'bbb' }])
  const [, newer] = await insertRoomBackups(db, [
    { of: 'aaa', at: january, restoredAt: march },
    { of: 'aaa', at: march, kind: 'd2o' },
  ])
  const [before, after] = [
    [
      ['aaa', march, null],
      ['bbb', null, null],
    ],
    [
      ['aaa', january, march],
      ['bbb', null, null],
    ],
  ]
  expect(await lastBackups()).toEqual(before)
  for (const kind of ['backup-missing', 'backup-altered']) {
    await report(newer, kind)
    expect(await lastBackups()).toEqual(after)
    await pool.query('update doctor_findings set closed_at = now() where closed_at is null')
    expect(await lastBackups()).toEqual(before)
  }
  await report(newer, 'backup-altered')
  await pool.query('delete from doctor_findings')
  expect(await lastBackups()).toEqual(before)
  await pool.query('delete from room_backups where id = $1', [newer])
  expect(await lastBackups()).toEqual(after)
  await pool.query('update room_backups set restored_at = null')
  expect(await lastBackups()).toEqual([
    ['aaa', january, null],
    ['bbb', null, null],
  ])
  await pool.query('delete from room_backups')
  expect((await lastBackups())[0]).toEqual(['aaa', null, null])
})

test('of two backups that are recorded at the same time the newer one counts', async () => {
  await insertRooms(db, [{ name: 'aaa' }])
  const insert = (at: string) => `
    insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
    select gen_random_uuid(), id, name, 'classic', name, 1, '', '${at}' from rooms`
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    await one.query('begin')
    await one.query(insert(march))
    const waiting = other.query(insert(january))
    await one.query('commit')
    await waiting
    expect(await lastBackups()).toEqual([['aaa', march, null]])
  } finally {
    one.release()
    other.release()
  }
})

test('a room that comes back has the last backup that it had', async () => {
  const [id, regionId] = [randomUUID(), await insertRegion(db)]
  await insertRooms(db, [{ id, regionId, name: 'aaa' }])
  await insertRoomBackups(db, [{ of: 'aaa', at: march }])
  await pool.query('delete from rooms')
  await insertRooms(db, [{ id, regionId, name: 'aaa' }])
  expect(await lastBackups()).toEqual([['aaa', march, null]])
})

test('what is wrong is mended, a few rooms at a time', async () => {
  await insertRooms(
    db,
    Array.from({ length: 7 }, (_, index) => ({ name: `room${index}` })),
  )
  await insertRoomBackups(db, [
    { of: 'room1', at: january },
    { of: 'room1', at: march, restoredAt: march },
    { of: 'room5', at: march },
  ])
  const right = await lastBackups()
  const next = (after: string | null) => recountLastBackups(db, after, 3)
  for (const wrong of ['last_backup_at = default, last_backup_restored_at = null', 'last_backup_at = now()']) {
    await pool.query(`update rooms set ${wrong}`)
    expect(await lastBackups()).not.toEqual(right)
    for (let last = await next(null); last !== null; last = await next(last)) expect(last).toBeTruthy()
    expect(await lastBackups()).toEqual(right)
  }
})
