/**
 * Each room is recorded once in each of its windows, in any number of pieces, whether or not anything happens between
 * them.
 */
import { randomUUID } from 'node:crypto'
import type { BackupSchedule } from '@roomkeeper/contract'
import { beforeEach, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { lastDue, nextSpan } from './due-times.ts'
import { recordNext } from './schedule-backups.ts'

const database = await createTestDatabase()
const rows = <Row>(text: string, values: unknown[] = []) => queryRows<Row>(database.db, text, values)
const hour = 3_600_000
const now = new Date('2026-06-10T12:34:56.789Z')
const policyId = randomUUID()
const count = 40

beforeEach(async () => {
  await rows('delete from backup_policies')
  await rows('delete from rooms')
  await insertRooms(
    database.db,
    Array.from({ length: count }, () => ({ id: randomUUID() })),
  )
})

const schedules: BackupSchedule[] = [
  { every: 'hours', hours: 1 },
  { every: 'hours', hours: 168 },
  { every: 'day', at: '11:00', windowHours: 3 },
  { every: 'day', at: '22:00', windowHours: 24 },
  { every: 'week', weekday: 3, at: '12:00', windowHours: 1 },
]

async function addPolicy(schedule: BackupSchedule, scheduledUntil: Date): Promise<void> {
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, scheduled_until)
     values ($1, 'Any', true, '{}', 'classic', $2, '{"daily":1,"weekly":0,"monthly":0}', 0, $3)`,
    [policyId, JSON.stringify(schedule), scheduledUntil],
  )
}

/** @returns in how many pieces */
async function record(at: Date, most = Number.POSITIVE_INFINITY): Promise<number> {
  let pieces = 0
  let isMore = true
  while (isMore && pieces < most) {
    isMore = await recordNext(database, { policyId, now: at, rooms: count, roomsAtOnce: 4 })
    pieces += 1
  }
  return pieces
}

async function recorded(): Promise<Record<string, string[]>> {
  const found = await rows<{ roomId: string; dueAt: string }>(
    'select room_id, due_at from scheduled_backups order by due_at',
  )
  const byRoom = Map.groupBy(found, ({ roomId }) => roomId)
  return Object.fromEntries([...byRoom].map(([id, its]) => [id, its.map(({ dueAt }) => dueAt)]))
}

async function roomIds(): Promise<string[]> {
  return (await rows<{ id: string }>('select id from rooms')).map(({ id }) => id)
}

// shows: policy-once
it.each(schedules)('after weeks each room is due once, at its last time: %j', async (schedule) => {
  await addPolicy(schedule, new Date(now.getTime() - 50 * 24 * hour))
  expect(await record(now)).toBeGreaterThan(5)
  const expected = (await roomIds()).map((id) => [id, [lastDue(schedule, id, now).toISOString()]])
  expect(await recorded()).toEqual(Object.fromEntries(expected))
  expect(await record(now)).toBe(1)
})

it('a worker that goes on where another one has ended leaves no room out, and takes none twice', async () => {
  const schedule = { every: 'day', at: '06:00', windowHours: 4 } as const
  await addPolicy(schedule, new Date('2026-06-10T05:00:00Z'))
  for (let minutes = 0; minutes < 5 * 60; minutes += 7) {
    const at = new Date(Date.parse('2026-06-10T05:30:00Z') + minutes * 60_000)
    await record(at, minutes % 3)
    await record(at, 1)
  }
  await record(now)
  const expected = (await roomIds()).map((id) => [id, [lastDue(schedule, id, now).toISOString()]])
  expect(await recorded()).toEqual(Object.fromEntries(expected))
})

it('who is due again has missed the time before, which is counted', async () => {
  await addPolicy({ every: 'hours', hours: 1 }, new Date(now.getTime() - 2 * hour))
  await record(now)
  await record(new Date(now.getTime() + hour))
  const states = await rows('select state, count(*) as n from scheduled_backups group by state order by state')
  expect(states).toEqual([
    { state: 'missed', n: count },
    { state: 'waiting', n: count },
  ])
  expect(await rows('select failed from backup_policies')).toEqual([{ failed: count }])
  expect(await rows('select sum(missed) as missed from scheduled_backup_days')).toEqual([{ missed: count }])
})

it('the time between two windows is one piece', () => {
  const schedule = { every: 'day', at: '06:00', windowHours: 1 } as const
  const span = nextSpan(schedule, new Date('2026-06-10T07:00:00Z'), new Date('2026-06-11T09:00:00Z'), 10)
  expect(span).toMatchObject({ low: 0, high: 0 })
  expect(nextSpan(schedule, new Date('2026-06-11T09:00:00.500Z'), new Date('2026-06-11T09:00:00.900Z'), 10)).toBeNull()
})
