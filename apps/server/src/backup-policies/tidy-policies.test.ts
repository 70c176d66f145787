/** What housekeeping removes: backups that no policy keeps, records of long ago, and what deleted policies leave. */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createObjectStore } from '#backups/index.ts'
import { queryRows } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { removeDeletedPolicies, removeOldRuns } from './runs.ts'
import { reapplyRetention, tidyPolicies, tidyScheduledBackups } from './tidy-policies.ts'

const database = await createTestDatabase()
const rows = <Row>(text: string, values: unknown[] = []) => queryRows<Row>(database.db, text, values)
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-tidy-'))
afterAll(() => rm(folder, { recursive: true }))
// A store without any file would count as one whose disk is not there.
await writeFile(join(folder, 'any'), '')
const stores = { files: createFileStore({ kind: 'folder', folder }), objectStore: createObjectStore(null) }
const always = Number.POSITIVE_INFINITY
const now = Date.parse('2026-06-10T12:00:00Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000)

let policy: string
let room: string

beforeEach(async () => {
  await lookAtTime(database.db)
  for (const table of ['backup_policies', 'room_backups', 'doctor_findings', 'rooms'])
    await rows(`delete from ${table}`)
  policy = randomUUID()
  room = randomUUID()
  await insertRooms(database.db, [{ id: room }])
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every)
     values ($1, 'Hourly', true, '{}', 'classic', '{"every":"hours","hours":1}', $2, 0)`,
    [policy, keep(1, 0)],
  )
})

const keep = (daily: number, weekly: number) => JSON.stringify({ daily, weekly, monthly: 0 })

interface Backup {
  of?: string
  location?: string
  restored?: boolean
  readBack?: boolean
  bad?: boolean
  byHand?: boolean
  tidied?: boolean
}

async function backedUp(days: number, given: Backup = {}): Promise<void> {
  const {
    of = room,
    location = `rooms/${randomUUID()}`,
    restored,
    readBack = true,
    bad,
    byHand,
    tidied = false,
  } = given
  const id = randomUUID()
  const at = daysAgo(days)
  await rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at, restored_at)
     values ($1, $2, '', 'classic', $3, 1, '', $4, $5, $6)`,
    [id, of, location, at, readBack ? at : null, restored === true ? at : null],
  )
  if (byHand !== true)
    await rows(
      `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until, state, operation_id,
                                      started_at, retention_applied)
       values ($1, $2, 0, $3, $3, $3, 'done', $4, $3, $5)`,
      [policy, of, at, id, tidied],
    )
  if (bad === true)
    await rows(
      `insert into doctor_findings (key, kind, severity, section, subject, run_id)
       values ($1, 'backup-altered', 'error', 'backups', $1, gen_random_uuid())`,
      [id],
    )
}

async function left(of = room): Promise<number[]> {
  const found = await rows<{ createdAt: string }>('select created_at from room_backups where room_id = $1', [of])
  return found.map(({ createdAt }) => (now - Date.parse(createdAt)) / 86_400_000).toSorted((a, b) => a - b)
}

it('keeps the newest that is whole and the newest that was restored in a test, and all of a deleted policy', async () => {
  for (const days of [5, 4, 3, 2, 1]) await backedUp(days, { restored: days >= 4 })
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 4])
  await backedUp(0.5)
  await rows('update backup_policies set deleted_at = now()')
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([0.5, 1, 4])
  expect(await rows('select from scheduled_backups where not retention_applied')).toEqual([])
})

it('one that somebody reads goes when that has ended', async () => {
  await backedUp(3)
  await backedUp(2)
  await backedUp(1)
  const [read] = await rows<{ id: string }>('select id from room_backups order by created_at limit 1')
  await rows(
    `insert into operations (id, kind, version, room_name, input, state, started_by)
     values (gen_random_uuid(), 'backup.verify', 1, '', jsonb_build_object('backupId', $1::text), 'waiting', 'x')`,
    [read?.id],
  )
  for (let round = 0; round < 2; round += 1) await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 3])
  await rows(`update operations set state = 'done', ended_at = now() where kind = 'backup.verify'`)
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1])
  expect(await rows('select from scheduled_backups where not retention_applied')).toEqual([])
})

it('one that is known to be bad does not stand for its week, and is not removed', async () => {
  await rows('update backup_policies set keep = $1', [keep(0, 1)])
  await backedUp(20, { restored: true, byHand: true })
  await backedUp(3)
  // The newest that is whole: without it, the room could come back only as it was weeks ago.
  await backedUp(2)
  await backedUp(1, { bad: true })
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 2, 20])
  expect(await rows('select from scheduled_backups where not retention_applied')).toEqual([])
})

it('one whose bucket cannot be reached keeps its record, until it can be removed', async () => {
  await backedUp(2)
  await rows(`update room_backups set kind = 'd2o', location = 's3://bucket/of-another-day.zip'`)
  await backedUp(1)
  await expect(tidyScheduledBackups(database.db, stores)).rejects.toMatchObject({ code: 'object-store-not-set' })
  expect(await left()).toEqual([1, 2])
  expect(await rows('select from scheduled_backups where not retention_applied')).toHaveLength(2)
})

it('a backup for which another policy has not counted it yet stays', async () => {
  await backedUp(1.1)
  const other = randomUUID()
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every)
     select $1::uuid, 'Weekly', true, rooms, kind, schedule, $2::jsonb, 0 from backup_policies`,
    [other, keep(0, 1)],
  )
  await rows(
    `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until, state, operation_id,
                                    started_at)
     select $1::uuid, room_id, 0, due_at, due_at, due_at, 'started', operation_id, started_at from scheduled_backups`,
    [other],
  )
  await backedUp(1)
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 1.1])
  await rows(`update scheduled_backups set state = 'done', retention_applied = false where state = 'started'`)
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 1.1])
  await rows('delete from backup_policies where id = $1', [other])
  await rows('update scheduled_backups set retention_applied = false')
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1])
})

it('rooms for which it fails do not keep it from the others', async () => {
  const others = [randomUUID(), randomUUID(), randomUUID()]
  await mkdir(join(folder, 'rooms', 'not-a-file'), { recursive: true })
  for (const of of [room, ...others]) {
    await backedUp(3, { of, ...(of === room ? { location: 'rooms/not-a-file' } : {}) })
    await backedUp(1, { of })
  }
  await expect(tidyScheduledBackups(database.db, stores)).rejects.toThrow()
  for (const of of others) expect(await left(of)).toEqual([1])
  expect(await left()).toEqual([1, 3])
})

it('looks again at all rooms of a policy that keeps others than before', async () => {
  const others = Array.from({ length: 3 }, () => randomUUID())
  for (const of of [room, ...others]) for (const days of [3, 2, 1]) await backedUp(days, { of, tidied: true })
  await tidyPolicies(database, stores)
  expect(await left()).toEqual([1, 2, 3])
  await rows(`update backup_policies set keep = $1, retention_cursor = '00000000-0000-0000-0000-000000000000'`, [
    keep(2, 0),
  ])
  await reapplyRetention(database, always)
  expect(await rows('select from scheduled_backups where not retention_applied')).toHaveLength(4)
  expect(await rows('select from backup_policies where retention_cursor is not null')).toEqual([])
  await tidyPolicies(database, stores)
  for (const of of [room, ...others]) expect(await left(of)).toEqual([1, 2])
})

it('records of long ago are removed behind those of backups that are there, which stay', async () => {
  const age = (Date.now() - now) / 86_400_000
  for (const days of [64, 63]) await backedUp(days - age)
  await rows(
    `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until, state)
     select $1::uuid, $2::uuid, 0, now() - make_interval(days => days), now(), now(), 'missed'
       from unnest('{57,58,59,61,62}'::int[]) as days`,
    [policy, room],
  )
  await rows(
    `insert into scheduled_backup_days select $1::uuid, current_date - days, 1, 0, 0 from unnest('{3,70}'::int[]) as days`,
    [policy],
  )
  await removeOldRuns(database.db, 1)
  const states = await rows<{ state: string }>('select state from scheduled_backups order by due_at')
  expect(states.map(({ state }) => state)).toEqual(['done', 'done', 'missed', 'missed', 'missed'])
  expect(await rows('select from scheduled_backup_days')).toHaveLength(1)
  await rows('delete from room_backups')
  await removeOldRuns(database.db, 1)
  expect(await rows(`select from scheduled_backups where state = 'done'`)).toEqual([])
})

it('of a deleted policy its records are removed, and then itself; its backups stay', async () => {
  await backedUp(2)
  await backedUp(1)
  await removeDeletedPolicies(database.db, always)
  expect(await rows('select from scheduled_backups')).toHaveLength(2)
  await rows('update backup_policies set deleted_at = now()')
  // Its time is over before it has begun: the next round goes on.
  await removeDeletedPolicies(database.db, 0)
  expect(await rows('select from backup_policies')).toHaveLength(1)
  await removeDeletedPolicies(database.db, always)
  expect([await rows('select from scheduled_backups'), await rows('select from backup_policies')]).toEqual([[], []])
  expect(await left()).toEqual([1, 2])
})
