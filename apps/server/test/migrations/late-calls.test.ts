/**
 * Calls that arrive after the operation that sent them has ended: they create no copy, remove no room that has come to
 * the region since, and open or close no room.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bootNetwork, type Network, uniqueRoomName, until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  copyBehindTheConsole,
  deleteBehindTheConsole,
  makeBehindTheConsole,
  regionAt,
  repair,
  roomIdOf,
  runDoctor,
} from '../doctor/run-doctor.ts'
import { serverKilled } from '../server-killed.ts'
import { deliver, interceptCalls, type PassingCall } from './intercept-calls.ts'
import { endSessions, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
/** The calls that were sent to the source and to the target. */
let sent: [PassingCall[], PassingCall[]] = [[], []]
/** Which calls are lost on their way to the target at present; a call that is held is lost later. */
let isLostToTarget: (call: PassingCall) => boolean | Promise<boolean> = () => false
/** Which calls are lost on their way to the source at present. */
let isLostToSource: typeof isLostToTarget = () => false
const ends: (() => void)[] = []

beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }] })
  migrationId = await newMigration(network)
  ends.push(
    await interceptCalls(network, source, async (call) => {
      sent[source].push(call)
      return (await isLostToSource(call)) ? 'lost' : undefined
    }),
  )
  ends.push(
    await interceptCalls(network, target, async (call) => {
      sent[target].push(call)
      return (await isLostToTarget(call)) ? 'lost' : undefined
    }),
  )
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})
afterEach(() => network.setRegionFaults([], target))

const source = 0
const target = 1
const overtaken = 'urn:roomkeeper-region:overtaken'

it('after a copy was removed its region refuses every call that could make it, whoever asked with it for what', async () => {
  const room = await newRoom()
  await leaveCopyToAnOperation(room)
  await network.setRegionFaults([], target)
  await network.settle()
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  const making = sent[target].filter(({ method, path }) => method === 'PUT' && path === `/region/v1/rooms/${room}`)
  expect(making.length).toBeGreaterThan(0)
  const answers = await Promise.all(making.map((call) => deliver(network, target, call)))
  expect(new Set(answers)).toEqual(new Set([overtaken]))
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
})

it('a copy that appears after its removal was done, and before that was recorded, is removed too', async () => {
  const room = await newRoom()
  await leaveCopyToAnOperation(room)
  await network.planFault('migration.leave-target:remove-copy:after:kill')
  await network.setRegionFaults([], target)
  await serverKilled(network)
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  const [left] = await network.database.rows<{ input: { creation: RoomCreation } }>(
    `select input from operations where room_name = $1 and kind = 'migration.leave-target'`,
    [room],
  )
  await network.regions[target]?.client.createRoom(room, left?.input.creation as RoomCreation)
  await network.restartServer()
  await network.settle()
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
})

it('a copy is removed also by a move that a restored dump has brought back', async () => {
  const room = await newRoom()
  await network.planFault('room.migrate:compare-copies:after:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  // As in deploy/after-restore.sql, so that regions do not mistake the move's calls for earlier ones.
  await network.database.rows(`update operations set fence = fence + 1000000 where room_name = $1`, [room])
  await network.planFault('room.migrate:compare-copies:after:fail')
  await network.restartServer()
  const ended = `select 1 from operations where room_name = $1 and kind = 'room.migrate' and state = 'failed'`
  await until('the move has failed', async () => (await network.database.rows(ended, [room])).length > 0)
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  await network.settle()
})

it('a removal whose answer was lost does not remove the room that has come there since', async () => {
  const room = await newRoom()
  // One removal by the undo, and one by the operation that takes over the removal.
  const lost = await whileLost(2, async () => {
    await network.planFault('room.migrate:compare-copies:after:fail')
    await moveAll(network, { migrationId, rooms: [room] })
  })
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  await expectMovedAndKept(room, lost)
})

/** The room moves to the target again, and calls that are delivered late do not remove it. */
async function expectMovedAndKept(room: string, lost: readonly PassingCall[]): Promise<void> {
  await moveAll(network, { migrationId, rooms: [room] })
  expect(await whereabouts(network, room)).toMatchObject({ row: { region_id: 2 }, copies: [null, { state: 'active' }] })
  for (const call of lost) expect(await deliver(network, target, call)).toBe(overtaken)
  expect((await whereabouts(network, room)).copies[target]).toMatchObject({ state: 'active' })
}

it('nor does one of an operation that was cancelled while the region was away', async () => {
  const room = await newRoom()
  const lost: PassingCall[] = []
  // One removal by the undo. From the next removal, by the operation that takes over, no call reaches the target.
  isLostToTarget = (call) => {
    if (lost.length < 2 && isRemoval(call)) return lost.push(call) > 0
    return lost.length === 2
  }
  await network.planFault('room.migrate:compare-copies:after:fail')
  await startRun(network, { migrationId, rooms: [room] })
  await until('two operations have tried to remove the copy', async () => lost.length === 2)
  await cancelFollowUp('migration.leave-target', room)
  isLostToTarget = () => false
  await removeAbandonedCopy(target, room)
  await network.settle()
  await expectMovedAndKept(room, lost)
})

it('nor does one of the doctor', async () => {
  const room = await newRoom()
  const roomId = await roomIdOf(network, room)
  await copyBehindTheConsole(regionAt(network, source), regionAt(network, target), { name: room, roomId })
  const finding = (await runDoctor(network)).find((each) => each.projectRoomName === room)
  if (finding === undefined) throw new Error('The copy was not found.')
  const lost = await whileLost(1, async () => {
    expect(await repair(network, finding, 'remove-copy')).toMatchObject({ state: 'done' })
  })
  await expectMovedAndKept(room, lost)
})

it('nor does that of a move which handed the removal of its source over and has ended well', async () => {
  const room = await newRoom()
  const lost: PassingCall[] = []
  // From the first removal on, no call reaches the source.
  isLostToSource = (call) => {
    if (lost.length === 0 && !isRemoval(call)) return false
    return lost.push(call) > 0
  }
  await startRun(network, { migrationId, rooms: [room] })
  await until('it is handed over', async () => (await followUp('migration.leave-source', room))?.state === 'running')
  await cancelFollowUp('migration.leave-source', room)
  isLostToSource = () => false
  await removeAbandonedCopy(source, room)
  await network.settle()
  const back = await newMigration(network, { sourceRegion: 2, targetRegion: 1 })
  await moveAll(network, { migrationId: back, rooms: [room] })
  const before = await whereabouts(network, room)
  expect(before).toMatchObject({ row: { region_id: 1 }, copies: [{ state: 'active' }, null] })
  const removals = lost.filter(isRemoval)
  expect(removals.length).toBeGreaterThan(0)
  for (const call of removals) expect(await deliver(network, source, call)).toBe(overtaken)
  expect(await whereabouts(network, room)).toEqual(before)
})

it.each([
  ['held, and the region can be reached', false, '0 days'],
  ['lost, and nothing comes to the region any more', true, '0 days'],
  ['lost, days after it had begun, and there is no record of that', true, '3 days'],
])('nor does one of a force delete that was cancelled while its call was %s', async (_, isAway, age) => {
  await forgetForceDeletes()
  const room = await newRoom()
  const roomId = await roomIdOf(network, room)
  await makeBehindTheConsole(regionAt(network, target), room, roomId)
  await regionAt(network, target).client.suspendRoom(room, roomId)
  await moveAll(network, { migrationId, rooms: [room] })
  const lost: PassingCall[] = []
  const held = Promise.withResolvers<boolean>()
  isLostToTarget = (call) => {
    if (isRemoval(call) && lost.length === 0) return lost.push(call) > 0 && (isAway || held.promise)
    return isAway && lost.length > 0
  }
  const body = { projectRoomNames: [room], liveMigrationDataID: migrationId }
  const first = (await network.admin.call('forceDeleteFailedRooms', { body })).body.operationId
  await until('it has tried to remove the copy', async () => lost.length > 0)
  await network.database.rows('update operations set executed_at = executed_at - $2::interval where id = $1', [
    first,
    age,
  ])
  await network.admin.call('cancelOperation', { params: { id: first } })
  await until('it is cancelled', async () => (await stateOf(first)) === 'cancelled')
  held.resolve(true)
  if (age !== '0 days') await network.database.rows('delete from late_calls where operation_id = $1', [first])
  isLostToTarget = () => false
  await network.admin.call('forceDeleteFailedRooms', { body })
  await network.settle()
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
  await forgetForceDeletes()
  await expectMovedAndKept(room, lost)
})

it('a copy is taken as moved only when what its region had accepted before has ended: it may be a removal', async () => {
  const room = await newRoom()
  const moved = async () => {
    const [row] = await network.database.rows<{ id: string; state: string }>(
      `select id, state from operations where room_name = $1 and kind = 'room.migrate'`,
      [room],
    )
    return row ?? { id: '', state: '' }
  }
  await network.planFault('room.migrate:compare-copies:after:hold')
  await startRun(network, { migrationId, rooms: [room] })
  await until('both copies are compared', () => network.faultHappened())
  const { client } = regionAt(network, target)
  const { roomId = '', lock } = (await client.room(room)) ?? {}
  const holder = lock?.holder ?? ''
  const remove = { type: 'deleteRoom', room, roomId, holder } as const
  await regionAt(network, source).client.runJob(`lost-${room}`, remove)
  await network.admin.call('cancelOperation', { params: { id: (await moved()).id } })
  await network.settle()
  expect(await roomNow(room)).toMatchObject({ state: 'ERROR', region: 1 })
  const finish = await occupy(target)
  await client.startJob(`accepted-${room}`, remove)
  sent = [[], []]
  await network.admin.call('retryOperation', { params: { id: (await moved()).id } })
  await until('Retry waits for the region, or has ended', async () => {
    const isAsked = sent[target].some(({ path }) => path.includes('-digest-taken-'))
    return isAsked || ['cancelled', 'failed'].includes((await moved()).state)
  })
  await finish()
  await network.settle()
  expect(await client.room(room)).toBeNull()
  expect(await roomNow(room)).toMatchObject({
    state: 'ERROR',
    region: 1,
    error: expect.stringContaining('Neither region-1 nor region-2 has the project room.'),
  })
})

/** Fills the concurrency limit for jobs of this region. @returns a function that frees it */
async function occupy(index: number): Promise<() => Promise<void>> {
  const { client } = regionAt(network, index)
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const place = {
    endpoint,
    region: 'eu-1',
    bucket: 'backups',
    key: 'file',
    accessKey: 'key',
    secretKey: 'secret',
    sessionToken: null,
  }
  const rooms = Array.from({ length: 4 }, uniqueRoomName)
  for (const room of rooms) {
    await makeBehindTheConsole(regionAt(network, index), room, randomUUID())
    await client.startJob(`long-${room}`, { type: 'backupToObjectStore', room, target: place })
    await until('it runs', async () => (await client.job(`long-${room}`)).state === 'running')
  }
  return async () => {
    for (const room of rooms) await client.cancelJob(`long-${room}`)
    silent.close()
    silent.closeAllConnections()
  }
}

async function roomNow(room: string) {
  const [row] = await network.database.rows<{ state: string; region: number; error: string | null }>(
    'select state, region_id as region, error_message as error from rooms where name = $1',
    [room],
  )
  return row
}

it.each([
  ['was undone', 'switch:before:fail'],
  ['has moved its room', null],
])('neither region obeys a move that %s any more', async (_, fault) => {
  const room = await newRoom()
  if (fault !== null) await network.planFault(`room.migrate:${fault}`)
  sent = [[], []]
  await moveAll(network, { migrationId, rooms: [room] })
  const before = await whereabouts(network, room)
  for (const index of [source, target]) {
    const changing = (sent[index] ?? []).filter(
      ({ method, path }) => (method === 'PUT' && !/\/(files|fences)/.test(path)) || /\/(suspend|resume)$/.test(path),
    )
    expect(changing.length).toBeGreaterThan(0)
    for (const call of changing)
      expect([call.path, await deliver(network, index, call)]).toEqual([call.path, overtaken])
  }
  expect(await whereabouts(network, room)).toEqual(before)
})

const isRemoval = ({ method, path }: PassingCall) =>
  method === 'PUT' && path.startsWith('/region/v1/jobs/') && path.includes('-remove-')

/** The operation of this kind to which a move of the room has left some of its work. */
async function followUp(kind: string, room: string): Promise<{ id: string; state: string } | undefined> {
  const found = await network.database.rows<{ id: string; state: string }>(
    'select id, state from operations where room_name = $1 and kind = $2',
    [room, kind],
  )
  return found[0]
}

async function cancelFollowUp(kind: string, room: string): Promise<void> {
  await network.admin.call('cancelOperation', { params: { id: (await followUp(kind, room))?.id ?? '' } })
  await until('it is cancelled', async () => (await followUp(kind, room))?.state === 'cancelled')
}

const stateOf = async (id: string) =>
  (await network.database.rows<{ state: string }>('select state from operations where id = $1', [id]))[0]?.state

/** Removes the copy that a cancelled removal has left locked. */
async function removeAbandonedCopy(index: number, room: string): Promise<void> {
  const { client } = regionAt(network, index)
  const { roomId = '', lock } = (await client.room(room)) ?? {}
  await client.unlockRoom(room, { roomId, holder: lock?.holder ?? '' })
  await deleteBehindTheConsole(regionAt(network, index), room, roomId)
}

/** Without this, nothing can be moved to a region for 20 minutes after a force delete. */
const forgetForceDeletes = () => network.database.rows('delete from forced_deletions')

/** Loses the first removals on their way to the target. @returns the lost calls */
async function whileLost(count: number, work: () => Promise<void>): Promise<PassingCall[]> {
  const lost: PassingCall[] = []
  isLostToTarget = (call) => {
    if (!isRemoval(call) || lost.length === count) return false
    lost.push(call)
    return true
  }
  await work()
  isLostToTarget = () => false
  expect(lost.length).toBe(count)
  return lost
}

async function newRoom(): Promise<string> {
  const room = await network.newRoom()
  await endSessions(network, room)
  return room
}

/** Cancels a move whose undo can do nothing in the target, so that an operation takes over the copy's removal. */
async function leaveCopyToAnOperation(room: string): Promise<void> {
  const away = { method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 503, times: 100_000 }
  await network.setRegionFaults([away], target)
  await startRun(network, { migrationId, rooms: [room] })
  const moves = async () =>
    network.database.rows<{ id: string; step: string; state: string }>(
      `select id, step_id as step, state from operations where room_name = $1 and kind = 'room.migrate'`,
      [room],
    )
  await until('the copy is made', async () => (await moves()).at(-1)?.step === 'restore-copy')
  await network.admin.call('cancelOperation', { params: { id: (await moves()).at(-1)?.id ?? '' } })
  await until('the move has ended', async () => (await moves()).at(-1)?.state === 'cancelled')
}
