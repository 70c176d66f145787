/** What the calls report about a live migration whose run has ended. */
import { bootNetwork, type Network, uniqueRoomName, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

let network: Network
/** The id of a configuration that has not been used. */
let id: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())
beforeEach(async () => {
  const made = await ask('POST', 'livemigration', { sourceRegion: 1, targetRegion: 2, routing: false, parallel: false })
  id = (made as { id: number }).id
})
afterEach(async () => {
  await network.settle()
  await network.database.rows('delete from live_migrations')
  await network.database.rows('update regions set max_rooms = -1')
})

it('a new one is STOPPED', async () => {
  expect(await migration()).toMatchObject({ state: 'STOPPED', startDate: null, isWarningEnabled: false })
})

// shows: move-ends
it('it is COMPLETED when all rooms are migrated', async () => {
  const rooms = [await network.newRoom(), await network.newSuspendedRoom()]
  await run(rooms)
  expect(await migration()).toMatchObject({
    state: 'COMPLETED',
    startDate: expect.any(String),
    currentMigratedProjectRoom: null,
    isWarningEnabled: false,
  })
  expect(await entries()).toEqual(rooms.map((room) => entry(room, { migrated: true, failed: false })))
  for (const room of rooms) expect(await locationsOf(room)).toEqual([2, false, true])
})

// shows: move-ends
it('it is PARTIALLY_COMPLETED when some rooms are postponed', async () => {
  const [moved, used] = [await network.newRoom(), await newRoomInUse()]
  await run([moved, used])
  expect(await migration()).toMatchObject({ state: 'PARTIALLY_COMPLETED', isWarningEnabled: false })
  expect(await entries()).toEqual([
    entry(moved, { migrated: true, failed: false }),
    entry(used, { migrated: false, failed: false }),
  ])
  expect(await locationsOf(used)).toEqual([1, true, false])
})

// shows: move-ends
it('it is PARTIALLY_COMPLETED when some rooms failed', async () => {
  const prefix = uniqueRoomName('ends')
  const [first, second] = [
    await network.newRoom({ tenantName: `${prefix}a` }),
    await network.newRoom({ tenantName: `${prefix}b` }),
  ]
  const [region] = (await network.admin.call('regions', {})).body.filter(({ regionId }) => regionId === 2)
  await network.database.rows('update regions set max_rooms = $1 where id = 2', [
    (region?.numberOfProjectRooms ?? 0) + 1,
  ])
  await run([first, second])
  expect(await migration()).toMatchObject({ state: 'PARTIALLY_COMPLETED' })
  expect(await entries()).toEqual([
    entry(first, { migrated: true, failed: false }),
    entry(second, { migrated: false, failed: true }),
  ])
  expect(await locationsOf(second)).toEqual([1, true, false])
})

// shows: move-ends
it('it is FAILED when none is migrated, whether they failed or are postponed', async () => {
  const used = await newRoomInUse()
  await run([used])
  expect(await migration()).toMatchObject({ state: 'FAILED' })
  const full = await network.newRoom()
  await network.database.rows('update regions set max_rooms = 0 where id = 2')
  await run([full])
  expect(await migration()).toMatchObject({ state: 'FAILED' })
  expect(await entries()).toEqual([
    entry(used, { migrated: false, failed: false }),
    entry(full, { migrated: false, failed: true }),
  ])
})

it('it is COMPLETED by a later run that migrates all that was left', async () => {
  const used = await newRoomInUse()
  await run([used])
  expect(await migration()).toMatchObject({ state: 'FAILED' })
  await run([used], { skippActiveSessions: true })
  expect(await migration()).toMatchObject({ state: 'COMPLETED' })
})

it('its entry keeps the lines of its log, with the codes, when the operation of the move is removed', async () => {
  const room = await network.newRoom()
  await run([room])
  const { body: entries } = await network.admin.call('migrationStates', { body: { id } })
  const stateId = entries.find(({ projectRoomName }) => projectRoomName === room)?.id ?? 0
  const logs = async () => (await network.admin.call('migrationStateLogs', { query: { stateId } })).body
  const before = await logs()
  expect(before.lines.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain('log-copies-equal')
  await network.database.rows('delete from operations where room_name = $1', [room])
  expect(await logs()).toEqual(before)
})

it('begins no room while a region does not answer, says so, and goes on when it is back', async () => {
  const rooms = [await network.newRoom(), await network.newRoom()]
  await network.regions[1]?.stop()
  await network.database.rows(`update regions set health = 'unreachable' where id = 2`)
  const body = { liveMigrationData: { id }, selectedRooms: rooms, skippActiveSessions: false }
  const { operationId } = (await network.admin.call('startLiveMigration', { body })).body
  const logged = async () => {
    const { body: log } = await network.admin.call('operationLog', { query: { processId: operationId } })
    return log.lines.some(({ text }) => text.includes('the region region-2 does not answer'))
  }
  await until('its log says why', logged)
  const progress = async () => (await network.admin.call('liveMigrationProgress', { params: { id } })).body
  expect(await progress()).toMatchObject({
    state: 'RUNNING',
    waitsFor: ['region-2'],
    waiting: 2,
    inFlight: 0,
    secondsLeft: null,
  })
  for (const room of rooms) expect((await network.regions[0]?.client.room(room))?.locked).toBe(false)
  await network.restartRegion(1)
  await network.settle()
  expect(await migration()).toMatchObject({ state: 'COMPLETED' })
  expect(await progress()).toMatchObject({ waitsFor: [], done: 2 })
})

async function run(selectedRooms: readonly string[], options: { skippActiveSessions?: boolean } = {}): Promise<void> {
  const body = { liveMigrationData: { id }, selectedRooms, skippActiveSessions: false, ...options }
  await ask('POST', 'livemigration/start', body)
  await network.settle()
}

const migration = () => ask('GET', `livemigration/${id}`)

interface Entry {
  projectRoomName: string
  state: boolean
  isLiveMigrationError: boolean
}

/** Sorted by the room's name. */
async function entries(): Promise<Entry[]> {
  const found = (await ask('POST', 'livemigration/state', { id })) as Entry[]
  return found.sort((a, b) => Number(a.projectRoomName > b.projectRoomName) * 2 - 1)
}

function entry(projectRoomName: string, { migrated, failed }: { migrated: boolean; failed: boolean }) {
  return expect.objectContaining({ projectRoomName, state: migrated, isLiveMigrationError: failed })
}

/** The id of the room's region in the console, and whether each of the two region servers has the room. */
async function locationsOf(room: string) {
  const { body } = await network.admin.call('room', { query: { projectRoom: room } })
  const copies = await Promise.all(network.regions.map(({ client }) => client.room(room)))
  return [body.region, ...copies.map((copy) => copy !== null)]
}

/** A room with an open session. */
async function newRoomInUse(): Promise<string> {
  const room = await network.newRoom()
  await network.regions[0]?.client.openSession(room, 'owner@example.com')
  return room
}

/** Makes the call as it is on the wire. @returns the body of the answer */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${network.server.address}/api/operator/${path}`, {
    method,
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const told = (await answer.json()) as unknown
  expect(answer.ok, JSON.stringify(told)).toBe(true)
  return told
}
