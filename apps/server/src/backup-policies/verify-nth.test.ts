/** Every so many backups of a room one is restored in a test: once, however many workers look. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openDatabase, queryRows } from '#platform/database.ts'
import { doAlone } from '../../test/do-alone.ts'
import { endWaiting } from '../../test/end-waiting.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { scheduleBackups } from './schedule-backups.ts'
import { tidyVerificationCounts } from './verify-nth.ts'

const database = await createTestDatabase()
const other = openDatabase(database.url)
afterAll(() => other.close())

const { db } = database
const hour = 3_600_000
const begin = Date.parse('2026-01-01T00:30:00Z')
/** Hours since the beginning. */
let now = 0

beforeEach(async () => {
  for (const table of ['rooms', 'operations', 'backup_policies', 'room_backups'])
    await queryRows(db, `delete from ${table}`)
  await insertRooms(db, [{}, {}, {}])
})

// shows: policy-verifies
it.each([1, 3])('is so for every %i of them', async (verifyEvery) => {
  await addPolicy(verifyEvery)
  const tests: number[] = []
  for (let count = 0; count < 14; count += 1) tests.push(await anHour())
  // What an hour has made is settled in the next one, so two looks have no backup to count yet.
  const settled = 14 - 2
  const perRoom = Math.floor(settled / verifyEvery)
  expect(tests.reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(3 * (perRoom - 1))
  const [most] = await queryRows<{ n: number; verified: number }>(
    db,
    `select count(*) as n, count(restored_at) as verified from room_backups group by room_id order by verified desc limit 1`,
  )
  expect(most?.verified).toBeLessThanOrEqual(Math.ceil((most?.n ?? 0) / verifyEvery))
  const twice = await queryRows(
    db,
    `select from operations where kind = 'backup.verify' group by input ->> 'backupId' having count(*) > 1`,
  )
  expect(twice).toEqual([])
})

it('is not so where no region can do it, until one can, and counts of what is gone are removed', async () => {
  await addPolicy(2)
  for (let count = 0; count < 4; count += 1) await anHour()
  await queryRows(db, `update regions set state = 'disabled'`)
  const before = await verifications()
  for (let count = 0; count < 4; count += 1) await anHour()
  expect(await verifications()).toBe(before)
  await queryRows(db, `update regions set state = 'enabled'`)
  for (let count = 0; count < 4; count += 1) await anHour()
  expect(await verifications()).toBeGreaterThan(before)
  await queryRows(db, 'delete from backup_policies')
  await tidyVerificationCounts(db)
  expect(await queryRows(db, 'select from verification_counts')).toEqual([])
})

it('takes no more than half of the slots of a region, and backups the others', async () => {
  await addPolicy(1)
  const tests: number[] = []
  for (let count = 0; count < 10; count += 1) tests.push(await anHour(1))
  expect(Math.max(...tests)).toBe(1)
  expect(tests.reduce((sum, each) => sum + each)).toBeGreaterThan(5)
  const [backups] = await queryRows<{ n: number }>(db, 'select count(*) as n from room_backups')
  expect(backups?.n).toBeGreaterThan(5)
  expect(await queryRows(db, 'select from audit')).toEqual([])
})

async function addPolicy(verifyEvery: number): Promise<void> {
  await queryRows(
    db,
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every)
     values ($1, 'Hourly', true, '{}', 'classic', '{"every":"hours","hours":1}', '{"daily":7,"weekly":0,"monthly":0}', $2)`,
    [randomUUID(), verifyEvery],
  )
}

/** Two workers look, and regions do what is to be done. @returns how many tests were begun */
async function anHour(regionConcurrency = 10): Promise<number> {
  now += 1
  const at = new Date(begin + now * hour)
  await Promise.all(
    [database, other].map((each) =>
      doAlone(each, 'scheduling of backups', () => scheduleBackups({ database: each, regionConcurrency }, at)),
    ),
  )
  const [open] = await queryRows<{ n: number }>(db, `select count(*) as n from operations where state = 'waiting'`)
  expect(open?.n).toBeLessThanOrEqual(regionConcurrency + 1)
  const begun = await endWaiting(database, { at, kind: 'backup.verify' })
  await queryRows(
    db,
    `update room_backups set restored_at = $1
      where id in (select (input ->> 'backupId')::uuid from operations where id = any($2::uuid[]))`,
    [at, begun],
  )
  const ended = await endWaiting(database, { at })
  await queryRows(
    db,
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, read_back_at, created_at)
     select id, room_id, room_name, 'classic', 'rooms/' || id, 1, '', $1, $1 from operations where id = any($2::uuid[])`,
    [at, ended],
  )
  return begun.length
}

async function verifications(): Promise<number> {
  return (await queryRows(db, `select from operations where kind = 'backup.verify'`)).length
}
