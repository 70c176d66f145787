/** Rooms move between regions: completely, once, and only if they can. */
import { DatabaseSync } from 'node:sqlite'
import { bootNetwork, type Network, uniqueRoomName, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import {
  countsAreRight,
  endSessions,
  entriesOf,
  migrationState,
  moveAll,
  newMigration,
  startRun,
  whereabouts,
} from './moves.ts'

let network: Network
/** An unused configuration from region 1 to region 2. */
let there: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())
beforeEach(async () => {
  there = await newMigration(network)
})
afterEach(async () => {
  await network.setRegionFaults([], 0)
  await network.setRegionFaults([], 1)
  await network.settle()
  await network.database.rows('delete from live_migrations')
  await network.database.rows('update regions set max_rooms = -1')
})

const source = () => network.regions[0] as Network['regions'][number]
const target = () => network.regions[1] as Network['regions'][number]

async function newestEntry(id = there) {
  return (await entriesOf(network, id)).at(-1)
}

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' }, two: { text: 'ö'.repeat(2000) } })
  await endSessions(network, room)
  return room
}

async function moveOf(room: string) {
  const [row] = await network.database.rows<{ id: string; step: string }>(
    `select id, step_id as step from operations where kind = 'room.migrate' and room_name = $1 order by created_at desc limit 1`,
    [room],
  )
  return row
}

const isAt = (room: string, step: string) =>
  until(`the move of ${room} is at "${step}"`, async () => (await moveOf(room))?.step === step)

// shows: move-whole
it('rooms move with all they hold, in the state they were in, and nothing stays behind', async () => {
  const active = await roomWithContent()
  const suspended = await network.newSuspendedRoom()
  const before = [await whereabouts(network, active), await whereabouts(network, suspended)]
  await moveAll(network, { migrationId: there, rooms: [active, suspended] })
  expect(await entriesOf(network, there)).toMatchObject([
    { room_name: active, outcome: 'migrated', error: '', log: expect.stringContaining('both copies hold the same') },
    { room_name: suspended, outcome: 'migrated' },
  ])
  expect(await migrationState(network, there)).toEqual({ state: 'COMPLETED', warning: false })
  for (const [index, name] of [active, suspended].entries()) {
    const was = before[index]
    expect(await whereabouts(network, name)).toEqual({
      row: { ...was?.row, region_id: 2 },
      copies: [null, was?.copies[0]],
      reserved: 0,
    })
  }
  expect(await countsAreRight(network)).toBe(true)
})

// shows: move-writes
it('a customer who writes while his room moves is told so, and what was acknowledged is in the target', async () => {
  const room = await network.newRoom()
  const { token } = await source().client.openSession(room, 'owner@example.com')
  const write = (id: number) =>
    fetch(`${source().url}/rooms/${room}/databases/main/documents/d${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
      redirect: 'manual',
    }).then(async (answer) => {
      await answer.body?.cancel()
      return answer.status
    })
  const acknowledged: string[] = []
  const refused = new Set<number>()
  let over = false
  const writing = (async () => {
    for (let id = 0; !over; id += 1) {
      const status = await write(id)
      if (status === 200) acknowledged.push(`d${id}`)
      else refused.add(status)
    }
  })()
  await until('something is written', async () => acknowledged.length > 5)
  await moveAll(network, { migrationId: there, rooms: [room], skippActiveSessions: true })
  over = true
  await writing
  expect((await newestEntry())?.outcome).toBe('migrated')
  expect(refused).toContain(423)
  // The room is locked, then suspended, then gone.
  for (const status of refused) expect([423, 403, 404]).toContain(status)
  const file = new DatabaseSync(`${network.dir}/region-2/rooms/${room}/databases/main.db`, { readOnly: true })
  const kept = file.prepare('select id from documents').all() as { id: string }[]
  file.close()
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(acknowledged))
})

/** The console brings the backup, and both copies are compared afterwards. */
const noTickets = { method: 'POST', path: '/region/v1/files/', action: 'status', status: 503, times: 100 } as const

// shows: move-digest
it('a copy that came out differently is never switched to', async () => {
  const room = await roomWithContent()
  const before = await whereabouts(network, room)
  const jobs = { method: 'PUT', path: '/region/v1/jobs/' }
  await network.setRegionFaults(
    [noTickets, { ...jobs, action: 'delay', milliseconds: 0 }, { ...jobs, action: 'delay', milliseconds: 2000 }],
    1,
  )
  await startRun(network, { migrationId: there, rooms: [room] })
  await isAt(room, 'compare-copies')
  const file = new DatabaseSync(`${network.dir}/region-2/rooms/${room}/databases/main.db`)
  file.exec(`update documents set body = '{"from":"nobody"}' where id = 'one'`)
  file.close()
  await network.settle()
  expect(await newestEntry()).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('does not hold the same'),
  })
  expect(await whereabouts(network, room)).toEqual(before)
  expect(await migrationState(network, there)).toMatchObject({ state: 'FAILED' })
})

// shows: move-lock-gap, region-lock-gap
it('a room whose lock was gone for a moment is not switched', async () => {
  const room = await roomWithContent()
  const before = await whereabouts(network, room)
  const jobs = { method: 'PUT', path: '/region/v1/jobs/' }
  await network.setRegionFaults(
    [noTickets, { ...jobs, action: 'delay', milliseconds: 0 }, { ...jobs, action: 'delay', milliseconds: 1500 }],
    1,
  )
  await startRun(network, { migrationId: there, rooms: [room] })
  await isAt(room, 'compare-copies')
  const { roomId, lock } = (await source().client.room(room)) ?? {}
  const ours = { roomId: roomId ?? '', holder: lock?.holder ?? '' }
  await source().client.unlockRoom(room, ours)
  await source().client.lockRoom(room, ours)
  await network.settle()
  expect(await newestEntry()).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('was gone for a while'),
  })
  expect(await whereabouts(network, room)).toEqual(before)
})

it('nor is one whose lock was gone while the target restored what the source had packed for it', async () => {
  const room = await roomWithContent()
  const before = await whereabouts(network, room)
  await network.setRegionFaults([{ method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 1500 }], 1)
  await startRun(network, { migrationId: there, rooms: [room] })
  await isAt(room, 'restore-copy')
  const { roomId, lock } = (await source().client.room(room)) ?? {}
  const ours = { roomId: roomId ?? '', holder: lock?.holder ?? '' }
  await source().client.unlockRoom(room, ours)
  await source().client.lockRoom(room, ours)
  await network.settle()
  expect(await newestEntry()).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('was gone for a while'),
  })
  expect(await whereabouts(network, room)).toEqual(before)
})

describe('with routing', () => {
  let routed: number
  beforeEach(async () => {
    routed = await newMigration(network, { sourceRegion: 2, targetRegion: 1, routing: true })
  })

  // shows: move-redirect, region-delete-routes
  it('the source sends visitors to the target, until the room is back or deleted', async () => {
    const room = await roomWithContent()
    const page = async (region: Network['regions'][number]) => {
      const answer = await fetch(`${region.url}/${room}`, { redirect: 'manual' })
      await answer.body?.cancel()
      return [answer.status, answer.headers.get('location')]
    }
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect(await page(source())).toEqual([404, null])
    await moveAll(network, { migrationId: routed, rooms: [room] })
    expect(await page(target())).toEqual([307, `${source().url}/${room}`])
    expect((await page(source()))[0]).toBe(200)
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect((await page(target()))[0]).toBe(200)
    await moveAll(network, { migrationId: routed, rooms: [room] })
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    expect(await page(target())).toEqual([404, null])
  })

  it('a move back that fails leaves the redirection as it was', async () => {
    const room = await roomWithContent()
    await moveAll(network, { migrationId: there, rooms: [room] })
    await moveAll(network, { migrationId: routed, rooms: [room] })
    await network.planFault('room.migrate:compare-copies:after:fail')
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect(await newestEntry()).toMatchObject({ outcome: 'failed' })
    const answer = await fetch(`${target().url}/${room}`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `${source().url}/${room}`])
  })
})

describe('a room that cannot be moved now', () => {
  it('is postponed while users work in it, and comes first the next time; unless that is to be ignored', async () => {
    const room = await network.newRoom()
    await source().client.openSession(room, 'owner@example.com')
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect(await newestEntry()).toMatchObject({
      outcome: 'postponed',
      error: expect.stringContaining('1 active session'),
    })
    expect((await whereabouts(network, room)).row).toEqual({ region_id: 1, state: 'DEFAULT', priority: 1 })
    await moveAll(network, { migrationId: there, rooms: [room], skippActiveSessions: true })
    expect(await newestEntry()).toMatchObject({ outcome: 'migrated' })
  })

  // shows: move-locked
  it('is postponed while somebody else holds it locked, and stays so', async () => {
    const room = await network.newRoom()
    const { roomId } = (await source().client.room(room)) ?? { roomId: '' }
    await source().client.lockRoom(room, { roomId, holder: 'somebody' })
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect(await newestEntry()).toMatchObject({ outcome: 'postponed' })
    expect((await source().client.room(room))?.lock?.holder).toBe('somebody')
  })

  it('is postponed when another operation begins for it just after it was looked at, and the others go on', async () => {
    const rooms = [await network.newRoom(), await network.newRoom()].sort()
    const [busy = ''] = rooms
    const blocking = new pg.Client({ connectionString: network.database.url })
    await blocking.connect()
    await blocking.query('begin')
    await blocking.query('select from regions where id = 2 for update')
    await startRun(network, { migrationId: there, rooms })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%max_rooms%for no key update%'`
    await until('the room is to take its place', async () => (await network.database.rows(waiting)).length > 0)
    const [other] = await network.database.rows<{ id: string }>(
      `insert into operations (id, kind, version, room_id, room_name, input, state, started_by)
       select gen_random_uuid(), 'test', 1, id, name, '{}', 'running', 'test' from rooms where name = $1 returning id`,
      [busy],
    )
    try {
      await blocking.query('commit')
      await blocking.end()
      await until('the run has ended', async () => (await migrationState(network, there))?.state !== 'RUNNING')
    } finally {
      await network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [other?.id])
    }
    await network.settle()
    expect(await entriesOf(network, there)).toMatchObject([
      { room_name: busy, outcome: 'postponed', error: `Another operation is running for the project room ${busy}.` },
      { room_name: rooms[1], outcome: 'migrated' },
    ])
  })

  it('fails when the target has a room of its name, which is not touched', async () => {
    const room = await network.newRoom()
    const stranger = { ...(await settingsFor(room)), roomId: crypto.randomUUID() }
    await target().client.createRoom(room, stranger)
    await moveAll(network, { migrationId: there, rooms: [room] })
    expect(await newestEntry()).toMatchObject({ outcome: 'failed', error: expect.stringContaining('does not belong') })
    expect((await target().client.room(room))?.roomId).toBe(stranger.roomId)
    expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 1, state: 'DEFAULT' })
  })

  // shows: move-full
  it('fails when the target is full, and the others go on', async () => {
    const [{ count } = { count: 0 }] = await network.database.rows<{ count: number }>(
      'select room_count as count from regions where id = 2',
    )
    await network.database.rows('update regions set max_rooms = $1 where id = 2', [count + 1])
    const rooms = [await network.newRoom(), await network.newRoom()].sort()
    await moveAll(network, { migrationId: there, rooms })
    expect(await entriesOf(network, there)).toMatchObject([
      { room_name: rooms[0], outcome: 'migrated' },
      { room_name: rooms[1], outcome: 'failed', error: expect.stringContaining('Exceeded maximum number') },
    ])
    expect(await migrationState(network, there)).toMatchObject({ state: 'PARTIALLY_COMPLETED' })
  })
})

it('a room whose source goes away right after the switch is usable at once, and the source is left later', async () => {
  const room = await roomWithContent()
  const before = await whereabouts(network, room)
  const jobs = { method: 'PUT', path: '/region/v1/jobs/' }
  const pass = { ...jobs, action: 'delay', milliseconds: 0 }
  await network.setRegionFaults([
    { ...pass, path: '/region/v1/jobs/look', times: 100 },
    // The backup, which goes straight to the target and tells its digest.
    { ...pass, times: 1 },
    { ...jobs, action: 'status', status: 503, times: 1000 },
  ])
  await startRun(network, { migrationId: there, rooms: [room] })
  await until('the room is moved', async () => (await newestEntry())?.room_name === room)
  const moved = await whereabouts(network, room)
  expect(moved.row).toEqual({ ...before.row, region_id: 2 })
  expect(moved.copies[1]).toEqual(before.copies[0])
  // Users cannot write into the old copy, even if its lock expires.
  expect((await source().client.room(room))?.state).toBe('suspended')
  await network.setRegionFaults([])
  await network.settle()
  expect((await whereabouts(network, room)).copies[0]).toBeNull()
})

it('a run that is stopped finishes the room in flight and begins no other', async () => {
  const rooms = [await network.newRoom(), await network.newRoom(), await network.newRoom()].sort()
  await network.setRegionFaults([{ method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 700 }])
  await startRun(network, { migrationId: there, rooms })
  await isAt(rooms[0] ?? '', 'back-room-up')
  await network.admin.call('stopLiveMigration', { body: { id: there } })
  await network.settle()
  const states = await network.database.rows(
    `select r.state from operation_items r join live_migrations m on m.run_id = r.parent_id where m.id = $1 order by position`,
    [there],
  )
  expect(states).toEqual([{ state: 'done' }, { state: 'waiting' }, { state: 'waiting' }])
  expect(await migrationState(network, there)).toMatchObject({ state: 'STOPPED' })
})

it('migrations in both directions side by side take as many slots of a region as it has, and never more', async () => {
  const ours = await Promise.all(Array.from({ length: 5 }, () => network.newRoom()))
  const others = await Promise.all(Array.from({ length: 5 }, () => network.newRoom({ region: 2 })))
  const [onward, back] = [
    await newMigration(network, { id: there, parallel: true }),
    await newMigration(network, { sourceRegion: 2, targetRegion: 1, parallel: true }),
  ]
  // The regions refuse all jobs until every slot is taken.
  const away = [{ method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 503, times: 1000 }]
  for (const index of [0, 1]) await network.setRegionFaults(away, index)
  await startRun(network, { migrationId: onward, rooms: ours })
  await startRun(network, { migrationId: back, rooms: others })
  const queued = `select from operations where kind = 'room.migrate' and state = 'waiting'`
  const moving = `select from operations where kind = 'room.migrate' and state = 'running'`
  await until('as many move as there are places, and others wait', async () => {
    const counts = [await network.database.rows(moving), await network.database.rows(queued)]
    return (counts[0]?.length ?? 0) >= 4 && (counts[1]?.length ?? 0) > 0
  })
  for (const index of [0, 1]) await network.setRegionFaults([], index)
  await until(
    'both have ended',
    async () =>
      (await migrationState(network, onward))?.state === 'COMPLETED' &&
      (await migrationState(network, back))?.state === 'COMPLETED',
    120,
  )
  expect(await mostAtOnce([...ours, ...others])).toBe(4)
  for (const room of ours) expect((await whereabouts(network, room)).row?.region_id).toBe(2)
  for (const room of others) expect((await whereabouts(network, room)).row?.region_id).toBe(1)
}, 180_000)

/** How many moves of these rooms were under way at once: for each move, counts those under way when it began. */
async function mostAtOnce(rooms: readonly string[]): Promise<number> {
  const [row] = await network.database.rows<{ most: number }>(
    `with moves as (select executed_at as begun, ended_at as ended from operations
        where kind = 'room.migrate' and room_name = any($1))
     select max((select count(*)::int from moves other where other.begun <= one.begun and other.ended > one.begun)) as most
       from moves one`,
    [rooms],
  )
  return row?.most ?? 0
}

/** What a region needs to create a room like this one. */
async function settingsFor(room: string) {
  const info = await source().client.room(room)
  return {
    product: 'ARIS' as const,
    edition: (info?.edition ?? 'basic') as 'basic',
    licences: [],
    subLicences: [],
    subMiningType: 'NONE' as const,
    expirationDate: null,
    contacts: {
      companyName: 'Other',
      customerFirstName: 'A',
      customerLastName: 'B',
      customerContactDetails: null,
      ownerEmail: `${uniqueRoomName('owner')}@example.com`,
      delegateEmail: null,
    },
  }
}
