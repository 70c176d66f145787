/** Calls that reach a region after their operation has ended must not override the later operations of the room. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { deliver, interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'
import { endSessions, moveAll, newMigration } from '../migrations/moves.ts'
import { serverKilled } from '../server-killed.ts'

let network: Network
/** Decides which calls are currently lost on their way to the first region. */
let isLost: (call: PassingCall) => boolean = () => false
let end: (() => void) | undefined

/** One for all tests: a second one with the same regions is refused. */
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, {}] })
  migrationId = await newMigration(network)
  end = await interceptCalls(network, 0, (call) => (isLost(call) ? 'lost' : undefined))
})
afterAll(async () => {
  await network?.stop()
  end?.()
})
afterEach(() => {
  isLost = () => false
})

const overtaken = 'urn:roomkeeper-region:overtaken'
const { change, resume, suspend } = {
  suspend: (room: string) => network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } }),
  resume: (room: string) => network.admin.call('resumeRoom', { body: { roomName: room, userNotification: false } }),
  async change(room: string, companyName: string) {
    const { body } = await network.admin.call('room', { query: { projectRoom: room } })
    return network.admin.call('editRoom', {
      body: { ...body, companyName, sapNumberLast: body.sapNumberLast ?? `of ${room}` } as never,
    })
  },
}

it('a room that was suspended and is resumed is not closed by a suspension that comes late', async () => {
  const room = await network.newRoom()
  const [late] = await whileLost(['POST', `/rooms/${room}/suspend`], () => suspend(room))
  await resume(room)
  expect(await deliver(network, 0, late)).toBe(overtaken)
  expect((await onRegion(room))?.state).toBe('active')
})

it('a room that was resumed and is suspended again is not opened by a resumption that comes late', async () => {
  const room = await network.newSuspendedRoom()
  const [late] = await whileLost(['POST', `/rooms/${room}/resume`], () => resume(room))
  await suspend(room)
  expect(await deliver(network, 0, late)).toBe(overtaken)
  expect((await onRegion(room))?.state).toBe('suspended')
})

it('a change that comes late does not replace a later one', async () => {
  const room = await network.newRoom()
  const [late] = await whileLost(['PATCH', `/rooms/${room}`], () => change(room, 'First'))
  await change(room, 'Second')
  expect(await deliver(network, 0, late)).toBe(overtaken)
})

it('a room that has moved away is not made again by its creation that comes late', async () => {
  const rooms: string[] = []
  const [late] = await whileLost(['PUT', '/rooms/'], async () => rooms.push(await network.newRoom()))
  const [room = ''] = rooms
  await endSessions(network, room)
  await moveAll(network, { migrationId, rooms: [room] })
  expect(await onRegion(room)).toBeNull()
  expect(await deliver(network, 0, late)).toBe(overtaken)
  expect(await onRegion(room)).toBeNull()
})

it('a database whose deletion has failed, and could not be stopped, is not deleted later', async () => {
  const room = await network.newRoom()
  const lost: PassingCall[] = []
  isLost = (call) => (lost.length > 0 || (call.method === 'PUT' && call.path.includes('/jobs/'))) && lost.push(call) > 0
  const { body } = await network.admin.call('deleteDatabase', { body: { projectRoomName: room, databaseName: 'main' } })
  // Makes the 15 minutes pass for which the call, and then its undo, are retried.
  await until('it has failed', async () => {
    await network.database.rows(
      `update operation_steps set failing_since = now() - interval '20 minutes'
        where operation_id = $1 and failing_since is not null`,
      [body.operationId],
    )
    const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [
      body.operationId,
    ])
    return row?.state === 'failed'
  })
  isLost = () => false
  await change(room, 'Afterwards')
  const [late] = lost
  if (late === undefined) throw new Error('Nothing was lost.')
  expect(await deliver(network, 0, late)).toBe(overtaken)
  expect((await network.regions[0]?.client.databases(room))?.map(({ name }) => name)).toEqual(['main'])
})

it('a resumed room is not closed either when the worker that sent the suspension has died since, and the next one had nothing to send', async () => {
  const room = await network.newRoom()
  await network.planFault('room.suspend:tell-stakeholders:before:kill')
  const [late] = await whileLost(['POST', `/rooms/${room}/suspend`], async () => {
    await suspend(room).catch(() => undefined)
    await serverKilled(network)
  })
  await network.restartServer()
  await network.settle()
  await resume(room)
  expect(await deliver(network, 0, late)).toBe(overtaken)
  expect((await onRegion(room))?.state).toBe('active')
})

it('what comes late is refused also when nothing more is done with its room, as soon as the region can be told', async () => {
  const room = await network.newRoom()
  const [late] = await whileLost(['POST', `/rooms/${room}/suspend`], () => suspend(room), true)
  await until('the region is told', async () => (await countLateCalls(room)) === 0)
  expect(await deliver(network, 0, late)).toBe(overtaken)
})

it('and when the region could not be told at once', async () => {
  const room = await network.newRoom()
  await endSessions(network, room)
  const lost: PassingCall[] = []
  // From the removal on, no call reaches the source.
  isLost = (call) => (lost.length > 0 || call.path.includes('-remove-from-source-')) && lost.push(call) > 0
  const body = {
    liveMigrationData: { id: migrationId },
    selectedRooms: [room],
    skippActiveSessions: false,
  }
  await network.admin.call('startLiveMigration', { body })
  const leaving = () =>
    network.database.rows<{ id: string; state: string }>(
      `select id, state from operations where room_name = $1 and kind = 'migration.leave-source'`,
      [room],
    )
  await until('the source is left by an operation of its own', async () => (await leaving())[0]?.state === 'running')
  await network.admin.call('cancelOperation', { params: { id: (await leaving())[0]?.id ?? '' } })
  await network.settle()
  const [late] = lost
  if (late === undefined) throw new Error('Nothing was lost.')
  isLost = () => false
  // A worker starts with telling the regions what they do not know yet.
  await network.server.stop()
  await network.restartServer()
  await until('the region is told', async () => (await countLateCalls(room)) === 0)
  expect(await deliver(network, 0, late)).toBe(overtaken)
})

async function countLateCalls(room: string): Promise<number> {
  const [row] = await network.database.rows<{ count: number }>(
    `select count(*)::int as count from late_calls l join operations o on o.id = l.operation_id where o.room_name = $1`,
    [room],
  )
  return row?.count ?? 0
}

/**
 * @param isTold whether the region learns at the end of the operation which calls to refuse; otherwise that is left to
 * the next operation
 * @returns the first call with this method and this text in its path, which was lost on its way to the first region
 */
async function whileLost(
  [method, path]: [string, string],
  work: () => Promise<unknown>,
  isTold = false,
): Promise<[PassingCall]> {
  const lost: PassingCall[] = []
  const refusals: PassingCall[] = []
  isLost = (call) => {
    if (lost.length === 0) return call.method === method && call.path.includes(path) && lost.push(call) > 0
    return !isTold && refusals.length === 0 && call.path.endsWith('/fences') && refusals.push(call) > 0
  }
  await work()
  const [late] = lost
  if (late === undefined) throw new Error('Nothing was lost.')
  return [late]
}

async function onRegion(room: string) {
  return (await network.regions[0]?.client.room(room)) ?? null
}
