/** What becomes of a scheduled backup: of a busy room, of many rooms at once, and of one that fails and is retried. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { endWaiting } from '../../test/end-waiting.ts'
import { insertRooms } from '../../test/room-rows.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { lastDue } from './due-times.ts'
import { readRuns, removeScheduledOperations } from './runs.ts'
import { scheduleBackups } from './schedule-backups.ts'

const database = await createTestDatabase()
const rows = <Row>(text: string, values: unknown[] = []) => queryRows<Row>(database.db, text, values)
const minute = 60_000
/** Ten minutes after the room was due. */
let now: number
/** Looks as at that many minutes from now. */
const look = (minutes: number) => scheduleBackups({ database, regionConcurrency: 2 }, new Date(now + minutes * minute))
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
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, scheduled_until)
     values ($1, 'Hourly', true, '{}', 'classic', '{"every":"hours","hours":1}',
             '{"daily":1,"weekly":0,"monthly":0}', 0, $2)`,
    [policy, new Date(now - 70 * minute)],
  )
})

/** One that was due in the last hour, and is not due again while a test looks. */
function dueRoom(): { id: string } {
  const id = randomUUID()
  const minutesAgo = (now - lastDue({ every: 'hours', hours: 1 }, id, new Date(now)).getTime()) / minute
  return minutesAgo > 1 && minutesAgo < 50 ? { id } : dueRoom()
}

const setState = (state: string) => rows('update rooms set state = $1', [state])
const endOperations = async (state: 'done' | 'failed', attempt = 1) => {
  await endWaiting(database, { state })
  await rows('update operations set state = $1, attempt = $2', [state, attempt])
}
/** The time of all that waits is over at the next look. */
const endTimes = () => rows('update scheduled_backups set try_until = $1', [new Date(now)])

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
  await endTimes()
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
  await endOperations('done', 2)
  await look(2)
  expect([await states(), await failures()]).toEqual([['done'], 1])
  const runs = (await readRuns(database.db)).get(policy)
  expect(runs).toMatchObject({ done: 1, missed: 0, failed: 0, lastAt: expect.any(String) })
})

it('a policy that a wrong clock has scheduled far ahead goes on at once, and that is told', async () => {
  await look(365 * 24 * 60)
  expect(await states()).toEqual(['started'])
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, scheduled_until)
     select $1, 'Other', is_on, rooms, kind, schedule, keep, verify_every, $2 from backup_policies where id = $3`,
    [randomUUID(), new Date(now - 70 * minute), policy],
  )
  await rows('delete from operations')
  expect(await look(0)).toBe(1)
  const started = await rows<{ name: string; started: string }>(
    `select p.name, max(s.started_at) as started from scheduled_backups s join backup_policies p on p.id = s.policy_id
      where s.state = 'started' group by p.name order by p.name`,
  )
  expect(started.map(({ name }) => name)).toEqual(['Hourly', 'Other'])
  for (const each of started) expect(Date.parse(each.started)).toBeLessThanOrEqual(now)
  const [told] = await rows<{ facts: object }>(`select facts from doctor_findings where kind = 'time-ahead'`)
  expect(told?.facts).toMatchObject({ policy: 'Hourly' })
})

it('no more are begun than a region has slots for, and the others keep neither room nor line', async () => {
  await insertRooms(database.db, [dueRoom(), dueRoom(), dueRoom(), dueRoom()])
  // Three in the region of four rooms, and the one in its own.
  expect([await look(0), (await states()).toSorted()]).toEqual([4, [...Array(4).fill('started'), 'waiting']])
  const occupied = `select r.id from rooms r join operations o on o.room_id = r.id and o.ended_at is null`
  expect(await rows(occupied)).toHaveLength(4)
  expect(await look(1)).toBe(0)
  await endOperations('done')
  expect(await look(2)).toBe(1)
})

it('a room that has moved waits for a slot in its new region, whatever becomes of the former one', async () => {
  const [name] = await insertRooms(database.db, [dueRoom()])
  await setState('IN_PROGRESS')
  await look(0)
  const [there] = await insertRooms(database.db, [{}])
  await rows('update rooms set region_id = (select region_id from rooms where name = $1) where name = $2', [
    there,
    name,
  ])
  await rows('delete from rooms where name = $1', [there])
  await setState('DEFAULT')
  const regions = `select count(*) as n from scheduled_backups s join rooms r on r.id = s.room_id
                    where s.region_id <> r.region_id`
  expect(await rows(regions)).toEqual([{ n: 0 }])
  const disabled = `update regions set state = 'disabled' where id not in
                      (select region_id from rooms where name = $1)`
  await rows(disabled, [name])
  expect(await look(1)).toBe(1)
  const begun = `select name from rooms join operations on operations.room_id = rooms.id`
  expect(await rows(begun)).toEqual([{ name }])
  await rows(`update regions set state = 'enabled'`)
})

it('a room that is deleted while it waits has missed nothing, nor has one that no longer belongs to the policy', async () => {
  await setState('IN_PROGRESS')
  await look(0)
  await rows(`update backup_policies set rooms = '{"products":[1]}'`)
  await setState('DEFAULT')
  expect([await look(1), await states(), await failures()]).toEqual([0, [], 0])
  await rows(`update backup_policies set rooms = '{}', scheduled_until = $1`, [new Date(now - 70 * minute)])
  await setState('IN_PROGRESS')
  await look(0)
  expect(await states()).toEqual(['waiting'])
  await rows('delete from rooms')
  await endTimes()
  expect([await look(1), await states(), await failures()]).toEqual([0, [], 0])
})

it('what waits for a policy that is switched off or deleted is not begun', async () => {
  for (const change of ['is_on = false', 'deleted_at = now()']) {
    await setState('IN_PROGRESS')
    await rows('update backup_policies set scheduled_until = $1', [new Date(now - 70 * minute)])
    await look(0)
    expect(await states()).toEqual(['waiting'])
    await rows(`update backup_policies set ${change}, discard_until = scheduled_until`)
    await setState('DEFAULT')
    expect([await look(1), await states()]).toEqual([0, []])
    expect(await rows('select from backup_policies where discard_until is not null')).toEqual([])
    await rows('update backup_policies set is_on = true')
  }
})

it('neither a room for which it fails nor a policy that cannot be read stops the others', async () => {
  const [name] = await insertRooms(database.db, [dueRoom()])
  await rows(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, scheduled_until)
     select gen_random_uuid(), 'A', true, '{"query":{"filter_keys":["nothing"],"filter_values":["x"],"filter_conditions":["EQUALS"]}}',
            kind, schedule, keep, 0, scheduled_until from backup_policies`,
  )
  await rows(`
    create function fail_for_one() returns trigger language plpgsql as $$
    begin
      if new.room_name = '${name}' then
        raise exception 'not this one';
      end if;
      return new;
    end $$`)
  await rows('create trigger fail_for_one before insert on operations for each row execute function fail_for_one()')
  await expect(look(0)).rejects.toMatchObject({ code: 'invalid-filter' })
  await rows('drop trigger fail_for_one on operations')
  expect((await states()).toSorted()).toEqual(['started', 'waiting'])
  await rows(`delete from backup_policies where name = 'A'`)
  expect([await look(1), await states()]).toEqual([1, ['started', 'started']])
})

it('leaves no entry in the audit trail, and its operation is removed after a week if it went well', async () => {
  await look(0)
  expect(await rows('select from audit')).toEqual([])
  await endOperations('failed')
  await rows(`update operations set ended_at = now() - interval '8 days'`)
  await removeScheduledOperations(database.db, Number.POSITIVE_INFINITY)
  expect(await rows('select from operations')).toHaveLength(1)
  await rows(`update operations set state = 'done'`)
  await rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
     select id, room_id, room_name, 'classic', 'rooms/x', 1, '' from operations`,
  )
  await lookAtTime(database.db)
  await removeScheduledOperations(database.db, Number.POSITIVE_INFINITY)
  const outcomes = 'select from operation_outcomes where operation_id in (select id from room_backups)'
  expect([await rows('select from operations'), await rows(outcomes)]).toEqual([[], []])
  // Also if it was not settled until then.
  await look(1)
  expect(await states()).toEqual(['done'])
})

it('no part of a look waits for a connection while it holds one: two are enough', async () => {
  const small = await createTestDatabase({ maxConnections: 2 })
  const run = <Row>(text: string, values: unknown[] = []) => queryRows<Row>(small.db, text, values)
  const [room] = await insertRooms(small.db, [dueRoom()])
  // For this filter, the names of the regions are read.
  const filter = { filter_keys: ['regionName'], filter_conditions: ['NOT_EQUALS'], filter_values: ['x'] }
  const query = { order_by: 'tenantName', order_dir: 'asc', search_keys: [], search_values: [], ...filter }
  await run(
    `insert into backup_policies (id, name, is_on, rooms, kind, schedule, keep, verify_every, scheduled_until)
     values (gen_random_uuid(), 'By region', true, $1, 'classic', '{"every":"hours","hours":1}',
             '{"daily":1,"weekly":0,"monthly":0}', 0, $2)`,
    [JSON.stringify({ query }), new Date(now - 70 * minute)],
  )
  const lookAt = (minutes: number) =>
    scheduleBackups({ database: small, regionConcurrency: 2 }, new Date(now + minutes * minute))
  await run(`update rooms set state = 'IN_PROGRESS'`)
  await lookAt(0)
  await run('update scheduled_backups set try_until = $1', [new Date(now)])
  await lookAt(1)
  expect(await run('select state from scheduled_backups')).toEqual([{ state: 'missed' }])
  await run(`update rooms set state = 'DEFAULT'`)
  expect(await lookAt(62)).toBe(1)
  expect(await run('select room_name from operations')).toEqual([{ roomName: room }])
})
