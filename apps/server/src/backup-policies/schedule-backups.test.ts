/** What becomes of a scheduled backup: of a busy room, of one that fails and is retried, and of old records. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createObjectStore } from '#backups/index.ts'
import { queryRows } from '#platform/database.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { lastDue } from './due-times.ts'
import { readRuns } from './read-runs.ts'
import { removeOldRuns } from './remove-old-runs.ts'
import { scheduleBackups } from './schedule-backups.ts'
import { tidyScheduledBackups } from './tidy-scheduled-backups.ts'

const database = await createTestDatabase()
const rows = <Row>(text: string, values: unknown[] = []) => queryRows<Row>(database.db, text, values)
const minute = 60_000
/** Ten minutes after the room was due. */
let now: number
/** Looks as at that many minutes from now. */
const look = (minutes: number) => scheduleBackups(database, new Date(now + minutes * minute))
const states = async () =>
  (await rows<{ state: string }>('select state from scheduled_backups order by due_at')).map(({ state }) => state)

let policy: string
/** What has failed or could not be begun, for the metrics. */
const failures = async () => (await rows<{ failed: number }>('select failed from backup_policies'))[0]?.failed

beforeEach(async () => {
  policy = randomUUID()
  await rows('delete from operations')
  await rows('delete from backup_policies')
  await rows('delete from room_backups')
  await rows('delete from rooms')
  const id = randomUUID()
  await insertRooms(database.db, [{ id }])
  now = lastDue({ every: 'hours', hours: 1 }, id, new Date()).getTime() + 10 * minute
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, looked_until)
     values ($1, 'Hourly', true, '{}', 'classic', '{"every":"hours","hours":1}',
             '{"daily":1,"weekly":0,"monthly":0}', 0, $2)`,
    [policy, new Date(now - 70 * minute)],
  )
})

const setState = (state: string) => rows('update rooms set state = $1', [state])
const endOperations = (state: string) => rows(`update operations set state = $1, ended_at = now()`, [state])

it('a busy room is tried again until it is free', async () => {
  await setState('IN_PROGRESS')
  expect([await look(0), await look(1), await states()]).toEqual([0, 0, ['waiting']])
  await setState('DEFAULT')
  expect([await look(2), await states(), await failures()]).toEqual([1, ['started'], 0])
})

// shows: policy-runs
it('a room that is busy until the end of its time is missed, and counted', async () => {
  await setState('IN_PROGRESS')
  await look(0)
  await rows(`update scheduled_backups set try_until = $1`, [new Date(now)])
  expect([await look(1), await states(), await failures()]).toEqual([0, ['missed'], 1])
  expect((await readRuns(database.db)).get(policy)).toEqual({ lastAt: null, done: 0, missed: 1, failed: 0 })
})

it('a room that is due again does not need the backup of the time before', async () => {
  await setState('IN_PROGRESS')
  await look(0)
  await look(60)
  expect([await states(), await failures()]).toEqual([['missed', 'waiting'], 1])
})

it('a failed backup that is retried with success is done', async () => {
  await look(0)
  await endOperations('failed')
  await look(1)
  expect([await states(), await failures()]).toEqual([['failed'], 1])
  await endOperations('done')
  await look(2)
  expect([await states(), await failures()]).toEqual([['done'], 1])
  const runs = (await readRuns(database.db)).get(policy)
  expect(runs).toMatchObject({ done: 1, missed: 0, failed: 0, lastAt: expect.any(String) })
})

it('records of long ago are removed, except those of backups that are there', async () => {
  await look(0)
  await endOperations('done')
  await look(1)
  const [done] = await rows<{ id: string }>('select operation_id as id from scheduled_backups')
  await rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
     select $1, id, name, 'classic', 'rooms/x', 1, '' from rooms`,
    [done?.id],
  )
  await rows(`insert into scheduled_backups (policy_id, room_id, due_at, counts_from, try_until, state)
              select policy_id, room_id, due_at - interval '1 hour', due_at, due_at, 'missed' from scheduled_backups`)
  await rows(`update scheduled_backups set due_at = due_at - interval '61 days'`)
  await removeOldRuns(database.db)
  expect(await states()).toEqual(['done'])
  await rows('delete from room_backups')
  await removeOldRuns(database.db)
  expect(await states()).toEqual([])
})

it('the newest backup that was restored in a test is not removed, nor one of a deleted policy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-tidy-'))
  // A store without any file would count as one whose disk is not there.
  await writeFile(join(folder, 'any'), '')
  const stores = { files: createFileStore({ kind: 'folder', folder }), objectStore: createObjectStore(null) }
  const [room] = await rows<{ id: string }>('select id from rooms')
  for (const days of [5, 4, 3, 2, 1]) {
    const id = randomUUID()
    const at = new Date(now - days * 24 * 60 * minute)
    await rows(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, verified_at, restored_at, created_at)
       values ($1::uuid, $2, '', 'classic', 'rooms/' || $1::uuid, 1, '', $3, case when $4::int >= 4 then $3::timestamptz end, $3)`,
      [id, room?.id, at, days],
    )
    await rows(
      `insert into scheduled_backups (policy_id, room_id, due_at, counts_from, try_until, state, operation_id, started_at)
       values ($1, $2, $3, $3, $3, 'done', $4, $3)`,
      [policy, room?.id, at, id],
    )
  }
  const left = async () =>
    (
      await rows<{ days: number }>(
        `select round(extract(epoch from $1::timestamptz - created_at) / 86400)::int as days from room_backups order by 1`,
        [new Date(now)],
      )
    ).map(({ days }) => days)
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 4])
  await rows('delete from backup_policies')
  await tidyScheduledBackups(database.db, stores)
  expect(await left()).toEqual([1, 4])
  await rm(folder, { recursive: true })
})
