/** Starting and stopping live migrations and cleaning up after them, with rooms that really move. */
import { randomUUID } from 'node:crypto'
import { type BodyGiven, type Routes, routes } from '@roomkeeper/contract'
import { bootNetwork, type Network, uniqueRoomName, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  giveRooms,
  isRefusal,
  makeCopy,
  newestAudit,
  problemOf,
  roomIdOf,
  saveMigration,
  setMigration,
} from './call-support.ts'

let network: Network
let id: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 3 })
})
afterAll(() => network?.stop())
beforeEach(async () => {
  await network.database.rows('delete from live_migrations')
  await network.database.rows('delete from forced_deletions')
  id = (await saveMigration(network)).id
})

type Selection = BodyGiven<Routes['startLiveMigration']>

const select = (given: Partial<Selection>): Selection => ({ liveMigrationData: { id }, selectedRooms: [], ...given })
const start = (given: Partial<Selection>, key?: string) =>
  network.admin.call('startLiveMigration', {
    body: select(given),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const stored = async () => (await network.admin.call('liveMigration', { params: { id } })).body
const states = async () => (await network.admin.call('migrationStates', { body: { id } })).body
const regionOf = async (name: string) =>
  (await network.admin.call('room', { query: { projectRoom: name } })).body.region
const setRegion = (regionId: number, set: string) =>
  network.database.rows(`update regions set ${set} where id = $1`, [regionId])

const forceDelete = (...projectRoomNames: string[]) =>
  network.admin.call('forceDeleteFailedRooms', { body: { projectRoomNames, liveMigrationDataID: id } })

describe('a start is refused', () => {
  it('without a room', async () => {
    const expected = { status: 400, detail: 'Please select project rooms for live migration' }
    expect(await problemOf(network, routes.startLiveMigration, select({}))).toMatchObject(expected)
    const nobody = { allMatching: { search: 'nobody at all' } }
    expect(await problemOf(network, routes.startLiveMigration, select(nobody))).toMatchObject(expected)
    await expect(start({ liveMigrationData: { id: id + 1 }, selectedRooms: ['x'] })).rejects.toSatisfy(
      isRefusal('migration-unknown'),
    )
  })

  it('for rooms that are not active or suspended in the source, which it names', async () => {
    await giveRooms(network, [
      { name: 'refusedgood', regionId: 1 },
      { name: 'refusedaway', regionId: 3 },
      { name: 'refusedbusy', regionId: 1, state: 'IN_PROGRESS' },
    ])
    const selectedRooms = ['refusedgood', 'refusedbusy', 'refusedaway', 'refusednone']
    const problem = await problemOf(network, routes.startLiveMigration, select({ selectedRooms }))
    const message = 'Not active or suspended in the region region-1: refusedaway, refusedbusy, refusednone.'
    expect(problem).toMatchObject({ status: 400, detail: message, errors: [{ field: 'selectedRooms', message }] })
    expect(await stored()).toMatchObject({ state: 'STOPPED', startDate: null })
    await network.database.rows(`delete from rooms where name like 'refused%'`)
  })

  // shows: migration-start-refused
  it('while it runs, while it may still be touching rooms, and towards a disabled region', async () => {
    const [name = ''] = await giveRooms(network, [{ regionId: 1 }])
    const attempt = () => problemOf(network, routes.startLiveMigration, select({ selectedRooms: [name] }))
    await setMigration(network, id, `state = 'RUNNING'`)
    expect(await attempt()).toMatchObject({ status: 409, detail: 'Live migration is still running' })
    await setMigration(network, id, `state = 'STOPPED', warning = true`)
    const refresh = 'Please click refresh to see if the live migration ended'
    expect(await attempt()).toMatchObject({ status: 409, detail: refresh })
    await setMigration(network, id, 'warning = false')
    await setRegion(2, `state = 'disabled'`)
    expect(await attempt()).toMatchObject({ status: 409, detail: 'The region region-2 is disabled.' })
    await setRegion(2, `state = 'enabled'`)
    await network.database.rows('delete from rooms where name = $1', [name])
  })
})

describe('a run', () => {
  // shows: C-startLiveMigration, states-picker, move-priority
  it('empties a disabled region of all matching rooms but one, by priority and then by name', async () => {
    const prefix = uniqueRoomName('run')
    for (const letter of ['a', 'b', 'c', 'd']) await network.newRoom({ tenantName: `${prefix}${letter}` })
    await network.newSuspendedRoom({ tenantName: `${prefix}e` })
    await network.database.rows('update rooms set priority = 5 where name = $1', [`${prefix}c`])
    await setRegion(1, `state = 'disabled'`)
    const { status, body } = await start({ allMatching: { search: prefix }, selectedRooms: [`${prefix}b`] })
    expect(status).toBe(202)
    expect(await newestAudit(network)).toMatchObject({
      action: 'live-migration.start',
      detail: 'region-1 → region-2: 4 project rooms',
    })
    const running = await stored()
    expect(running.state).toBe('RUNNING')
    expect(Date.now() - Date.parse(running.startDate ?? '')).toBeLessThan(60_000)
    await network.settle()
    await setRegion(1, `state = 'enabled'`)
    expect(await stored()).toMatchObject({ state: 'COMPLETED', isWarningEnabled: false })
    expect((await states()).map((each) => each.projectRoomName).reverse()).toEqual(
      ['c', 'a', 'd', 'e'].map((letter) => prefix + letter),
    )
    expect(await regionOf(`${prefix}a`)).toBe(2)
    expect(await regionOf(`${prefix}b`)).toBe(1)
    // What it is called is known wherever operations are listed; a run that an operator started is listed when it is done.
    const titled = { kind: 'migration.run', sourceRegion: 'region-1', targetRegion: 'region-2' }
    const { body: finished } = await network.admin.call('finishedOperations', {})
    expect(finished).toContainEqual(expect.objectContaining({ ...titled, projectRoomName: '4 project rooms' }))
    const query = { name_search: `${prefix}a`, size: 100 }
    const { body: shown } = await network.admin.call('monitoring', { query })
    const inMove = shown.data.find(({ processType }) => processType === 'Live migration Backup')
    expect(inMove).toMatchObject({ ...titled, kind: 'room.migrate' })
    const { body: progress } = await network.admin.call('liveMigrationProgress', { params: { id } })
    expect(progress).toMatchObject({ operationId: body.operationId, total: 4, done: 4, waiting: 0, secondsLeft: null })
    expect(progress?.bytesMoved).toBeGreaterThan(1000)
    const csv = await (await network.admin.open('exportMigrationLogs', { query: { id } })).text()
    expect(csv).toContain(`"${prefix}e","Migrated"`)
    expect(csv).toContain('both copies hold the same')
  })

  it('is started once by an idempotency key, whatever its state is by then', async () => {
    const room = await network.newRoom()
    const key = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => start({ selectedRooms: [room] }, key)))
    expect(new Set(answers.map((each) => each.body.operationId)).size).toBe(1)
    await expect(start({ selectedRooms: [room], skippActiveSessions: true }, key)).rejects.toSatisfy(
      isRefusal('idempotency-mismatch'),
    )
    await network.settle()
    expect((await start({ selectedRooms: [room] }, key)).body).toEqual(answers[0]?.body)
    expect(await states()).toHaveLength(1)
  })

  it('is one, of two starts at the same moment', async () => {
    const room = await network.newRoom()
    const answers = await Promise.allSettled([1, 2, 3].map(() => start({ selectedRooms: [room] })))
    const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toHaveLength(2)
    for (const each of refused) expect(each).toSatisfy(isRefusal('migration-running'))
    await network.settle()
  })

  // shows: move-stopped
  it('that is stopped finishes the room in flight, begins no other, and warns until it has ended', async () => {
    const first = await network.newRoom({ tenantName: uniqueRoomName('stopa') })
    const second = await network.newRoom({ tenantName: uniqueRoomName('stopb') })
    await network.planFault('room.migrate:back-room-up:after:hold')
    await start({ selectedRooms: [first, second] })
    await until('the first room is held', () => network.faultHappened(), 30)
    expect(await stored()).toMatchObject({ currentMigratedProjectRoom: first })
    await network.admin.call('stopLiveMigration', { body: { id } })
    const refreshed = async () => (await network.admin.call('liveMigrations', {})).body[0]
    expect(await refreshed()).toMatchObject({ state: 'STOPPED', isWarningEnabled: true })
    await expect(start({ selectedRooms: [second] })).rejects.toSatisfy(isRefusal('migration-warning'))
    const [held] = (await network.admin.call('liveMigrationProgress', { params: { id } })).body?.rooms ?? []
    await network.admin.call('cancelOperation', { params: { id: String(held?.operationId) } })
    await network.settle()
    expect(await refreshed()).toMatchObject({ state: 'STOPPED', isWarningEnabled: false })
    expect(await regionOf(second)).toBe(1)
    expect(await states()).toMatchObject([{ projectRoomName: first, state: false, isLiveMigrationError: false }])
  })

  // shows: move-in-use
  it('postpones a room in use and raises its priority; skipping sessions moves it', async () => {
    const room = await network.newRoom()
    await network.regions[0]?.client.openSession(room, 'owner@example.com')
    await start({ selectedRooms: [room] })
    await network.settle()
    expect(await stored()).toMatchObject({ state: 'FAILED' })
    expect(await states()).toMatchObject([{ state: false, isLiveMigrationError: false }])
    const priority = async () => (await network.admin.call('room', { query: { projectRoom: room } })).body.priority
    expect(await priority()).toBe(1)
    await network.admin.call('resetLiveMigrationPriority', { body: { id, all: false } })
    expect(await priority()).toBe(0)
    await start({ selectedRooms: [room], skippActiveSessions: true })
    await network.settle()
    expect(await regionOf(room)).toBe(2)
  })
})

it('the progress of a run tells which region does not answer, since when, and when it is asked again', async () => {
  const room = await network.newRoom()
  const progress = async () => (await network.admin.call('liveMigrationProgress', { params: { id } })).body
  const shown = async () => (await progress())?.rooms[0]
  const waitsFor = (region: string) => async () => (await shown())?.waiting?.params.region === region
  await network.regions[1]?.stop()
  await start({ selectedRooms: [room] })
  await until('the target is missed', waitsFor('region-2'), 30)
  const away = await shown()
  expect(away).toMatchObject({ state: 'running', isCancelling: false, isBeingPutBack: false })
  const waiting = away?.waiting
  expect(waiting).toMatchObject({ code: 'named-region-unreachable', tries: expect.any(Number), endsAsBefore: true })
  expect(waiting?.secondsToNextTry).toBeLessThanOrEqual(12)
  const since = Date.parse(waiting?.since ?? '')
  expect((Date.parse(waiting?.givesUpAt ?? '') - since) / 60_000).toBeCloseTo(5, 0)
  expect(await progress()).toMatchObject({ bytesPerSecond: null, secondsLeft: null })
  expect(Math.abs(Date.now() - since)).toBeLessThan(60_000)

  await network.regions[0]?.stop()
  await network.database.rows(
    `update operation_steps set failing_since = failing_since - interval '20 minutes' where operation_id = $1`,
    [away?.operationId],
  )
  await until('it is put back, and the source is missed', waitsFor('region-1'), 60)
  expect(await shown()).toMatchObject({ state: 'running', isCancelling: false, isBeingPutBack: true })
  const { body: running } = await network.admin.call('runningOperations', {})
  expect(running.find(({ operationId }) => operationId === away?.operationId)).toMatchObject({
    isBeingPutBack: true,
    waiting: { params: { region: 'region-1' }, endsAsBefore: false },
  })
  await Promise.all([network.restartRegion(0), network.restartRegion(1)])
  await network.settle()
  expect(await shown()).toMatchObject({ state: 'failed', isBeingPutBack: false, waiting: null })

  await network.planFault('room.migrate:back-room-up:after:hold')
  await start({ selectedRooms: [room] })
  await until('the room is held', () => network.faultHappened(), 30)
  await network.regions[0]?.stop()
  await network.admin.call('cancelOperation', { params: { id: String((await shown())?.operationId) } })
  await until('it is cancelled, and the source is missed', waitsFor('region-1'), 30)
  expect(await shown()).toMatchObject({ isCancelling: true, isBeingPutBack: false })
  await network.restartRegion(0)
  await network.settle()
  expect(await shown()).toMatchObject({ state: 'postponed', isCancelling: false, waiting: null })

  await start({ selectedRooms: [room] })
  await network.settle()
  const { body: log } = await network.admin.call('operationLog', {
    query: { processId: String((await shown())?.operationId), after: 0 },
  })
  const said = log.lines.flatMap(({ reasons }) => reasons.map(({ code }) => code))
  expect(said.slice(said.indexOf('log-switching'))).toContain('log-switched')
})

describe('a force delete', () => {
  // shows: C-forceDeleteFailedRooms, migration-20-minutes
  it('removes what a failed move left in the target; for 20 minutes nothing is moved there', async () => {
    const room = await network.newRoom()
    const target = network.regions[1]
    if (target === undefined) throw new Error('no target')
    await makeCopy(target, room, await roomIdOf(network, room))
    await start({ selectedRooms: [room] })
    await network.settle()
    expect(await states()).toMatchObject([{ projectRoomName: room, isLiveMigrationError: true }])
    await forceDelete(room)
    expect(await newestAudit(network)).toMatchObject({
      action: 'live-migration.force-delete',
      detail: `region-1 → region-2: ${room}`,
    })
    await network.settle()
    expect(await target.client.room(room)).toBeNull()
    const other = await saveMigration(network, { sourceRegion: 3 })
    const attempts = [select({ selectedRooms: [room] }), select({ liveMigrationData: other, selectedRooms: [room] })]
    for (const attempt of attempts) {
      expect(await problemOf(network, routes.startLiveMigration, attempt)).toMatchObject({
        status: 409,
        detail: 'Failed project rooms were deleted from the target region. Please wait another 20 minutes.',
      })
    }
    await passMinutes(15.5)
    await expect(start({ selectedRooms: [room] })).rejects.toThrow('Please wait another 5 minutes.')
    await passMinutes(4.5)
    await start({ selectedRooms: [room] })
    await network.settle()
    expect(await regionOf(room)).toBe(2)
    await expect(forceDelete(room)).rejects.toSatisfy(isRefusal('invalid-input', 'projectRoomNames'))
  })

  // shows: migration-force-only
  it('takes only rooms whose move failed, on their way to this target, and never the copy in use', async () => {
    const [failed = '', postponed = '', elsewhere = '', inUse = ''] = await giveRooms(network, [
      { regionId: 1 },
      { regionId: 1 },
      { regionId: 1 },
      { regionId: 2 },
    ])
    await insertEntry(failed, 'failed', 2)
    await insertEntry(postponed, 'failed', 2)
    await insertEntry(postponed, 'postponed', 2)
    await insertEntry(elsewhere, 'failed', 3)
    await insertEntry(inUse, 'failed', 2)
    const problem = (...projectRoomNames: string[]) =>
      problemOf(network, routes.forceDeleteFailedRooms, { projectRoomNames, liveMigrationDataID: id })
    expect(await problem()).toMatchObject({ status: 400, detail: 'Please select a project room name' })
    expect(await problem(failed, postponed, 'nobody')).toMatchObject({
      status: 400,
      detail: `The migration of these project rooms did not fail: ${postponed}, nobody.`,
    })
    expect(await problem(failed, elsewhere)).toMatchObject({
      status: 400,
      detail: `These project rooms were not on their way to the region region-2: ${elsewhere}.`,
    })
    expect(await problem(failed, inUse)).toMatchObject({ status: 409, title: 'Copy in use' })
    await setMigration(network, id, `state = 'RUNNING'`)
    expect(await problem(failed)).toMatchObject({ status: 409, detail: 'Live migration is still running' })
    const nothing = await network.database.rows(`select from operations where kind = 'migration.force-delete'
      and state in ('waiting', 'running')`)
    expect(nothing).toHaveLength(0)
  })
})

async function insertEntry(name: string, outcome: string, target: number): Promise<void> {
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, outcome, source_region_id, target_region_id)
     values ($1, $2, $3, $4, 1, $5)`,
    [id, await roomIdOf(network, name), name, outcome, target],
  )
}

async function passMinutes(minutes: number): Promise<void> {
  await network.database.rows(`update forced_deletions set ended_at = ended_at - $1 * interval '1 minute'`, [minutes])
}
