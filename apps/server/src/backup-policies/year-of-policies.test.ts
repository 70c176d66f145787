/**
 * A year of policies, with two workers and three outages, against a calculation that knows nothing of the code. A run
 * takes a month of the year, `ALL=1` the whole one.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampled } from '@roomkeeper/dev-env'
import { afterAll, expect, it } from 'vitest'
import { createObjectStore } from '#backups/index.ts'
import { type Database, openDatabase, queryRows } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { doAlone } from '../../test/do-alone.ts'
import { endWaiting } from '../../test/end-waiting.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { scheduleBackups } from './schedule-backups.ts'
import { tidyScheduledBackups } from './tidy-policies.ts'

const database = await createTestDatabase()
const other = openDatabase(database.url)
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-year-'))
afterAll(async () => {
  await other.close()
  await rm(folder, { recursive: true, force: true })
})
// A store without any file would count as one whose disk is not there.
await writeFile(join(folder, 'any'), '')
const stores = { files: createFileStore({ kind: 'folder', folder }), objectStore: createObjectStore(null) }

const hour = 3_600_000
const begin = Date.parse('2026-01-01T00:30:00Z')
const outages = [
  ['2026-02-10T03:00:00Z', '2026-02-10T09:00:00Z'],
  ['2026-05-01T00:00:00Z', '2026-05-04T12:00:00Z'],
  ['2026-09-20T10:00:00Z', '2026-10-02T10:00:00Z'],
].map((ends) => ends.map((at) => Date.parse(at)) as [number, number])
const isOut = (at: number) => outages.some(([from, to]) => from <= at && at < to)
const months = sampled('months of a year of backup policies', [...Array(12).keys()])
const isTaken = (at: number) => months.includes(new Date(at).getUTCMonth())
const looks = Array.from({ length: 365 * 8 }, (_, n) => begin + n * 3 * hour).filter((at) => isTaken(at) && !isOut(at))

/** `first`: when one of its windows began. */
const policies = [
  {
    id: randomUUID(),
    schedule: { every: 'day', at: '02:00', windowHours: 4 },
    keep: { daily: 7, weekly: 4, monthly: 6 },
    first: Date.parse('2025-01-01T02:00:00Z'),
    period: 24 * hour,
    length: 4 * hour,
  },
  {
    id: randomUUID(),
    schedule: { every: 'week', weekday: 7, at: '01:00', windowHours: 8 },
    keep: { daily: 0, weekly: 10, monthly: 12 },
    first: Date.parse('2025-01-05T01:00:00Z'),
    period: 7 * 24 * hour,
    length: 8 * hour,
  },
  {
    id: randomUUID(),
    schedule: { every: 'hours', hours: 12 },
    keep: { daily: 3, weekly: 0, monthly: 0 },
    first: Date.parse('2025-01-01T00:00:00Z'),
    period: 12 * hour,
    length: 12 * hour,
  },
]

interface Made {
  at: number
  of: Set<(typeof policies)[number]>
}

/** The backups that a room gets, and then those that are kept. */
function expected(roomId: string): string[] {
  const turn = createHash('md5').update(roomId).digest().readUInt32BE(0) / 2 ** 32
  const made: Made[] = []
  looks.forEach((at, index) => {
    const since = looks[index - 1]
    if (since === undefined) return
    const fresh: Made = { at, of: new Set() }
    for (const policy of policies) {
      const offset = Math.floor((turn * policy.length) / 1000) * 1000
      let window = policy.first
      while (window + policy.period + offset <= at) window += policy.period
      if (window + offset <= since) continue
      const from = policy.schedule.every === 'hours' ? window + offset : window
      const shared = made.find((each) => each.at >= from && !each.of.has(policy))
      ;(shared ?? fresh).of.add(policy)
    }
    if (fresh.of.size > 0) made.push(fresh)
  })
  const kept = new Set(made.slice(-1))
  for (const policy of policies) {
    const own = made.filter(({ of }) => of.has(policy)).toReversed()
    const { daily, weekly, monthly } = policy.keep
    const monday = (at: number) => new Date(at - ((new Date(at).getUTCDay() + 6) % 7) * 24 * hour)
    const newest = (count: number, span: (at: number) => string) => {
      const spans = [...Map.groupBy(own, ({ at }) => span(at)).values()]
      for (const [first] of spans.slice(0, count)) if (first !== undefined) kept.add(first)
    }
    newest(daily, (at) => new Date(at).toISOString().slice(0, 10))
    newest(weekly, (at) => monday(at).toISOString().slice(0, 10))
    newest(monthly, (at) => new Date(at).toISOString().slice(0, 7))
  }
  return [...kept].map(({ at }) => new Date(at).toISOString()).sort()
}

/** What regions would do: every open backup is made. */
async function makeBackups(now: Date): Promise<void> {
  const ended = await endWaiting(database, { at: now })
  await queryRows(
    database.db,
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, read_back_at, created_at)
     select id, room_id, room_name, 'classic', 'rooms/' || id, 1, '', $1, $1 from operations where id = any($2::uuid[])`,
    [now, ended],
  )
}

// shows: policy-when, policy-kept, policy-once
it('keeps exactly the backups that it should', { timeout: 900_000 }, async () => {
  await insertRooms(database.db, [{}, {}])
  const rooms = await queryRows<{ id: string; name: string }>(database.db, 'select id, name from rooms')
  for (const { id, schedule, keep } of policies) {
    await queryRows(
      database.db,
      `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every)
       values ($1, $2, true, '{}', 'classic', $3, $4, 0)`,
      [id, id, JSON.stringify(schedule), JSON.stringify(keep)],
    )
  }
  const byHand = randomUUID()
  await queryRows(
    database.db,
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
     values ($1, $2, '', 'classic', 'rooms/by-hand', 1, '', '2025-06-01')`,
    [byHand, rooms[0]?.id],
  )
  for (const at of looks) {
    const now = new Date(at)
    await Promise.all([database, other].map((each) => schedule(each, now)))
    await makeBackups(now)
    await tidyScheduledBackups(database.db, stores)
  }
  // What was made last is settled at the next look.
  await scheduleBackups({ database, regionConcurrency: 4 }, new Date((looks.at(-1) ?? 0) + 1))
  await tidyScheduledBackups(database.db, stores)
  for (const { id } of rooms) {
    const left = await queryRows<{ createdAt: string }>(
      database.db,
      'select created_at from room_backups where room_id = $1 and id <> $2 order by created_at',
      [id, byHand],
    )
    expect(left.map(({ createdAt }) => createdAt)).toEqual(expected(id))
  }
  expect(await queryRows(database.db, 'select from room_backups where id = $1', [byHand])).toHaveLength(1)
})

/** As the server does it: one process at a time. */
function schedule(each: Database, now: Date): Promise<void> {
  return doAlone(each, 'scheduling of backups', () => scheduleBackups({ database: each, regionConcurrency: 4 }, now))
}
