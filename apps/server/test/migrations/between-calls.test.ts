/**
 * Between two calls of a move, more than the minute for which a lock lasts may pass, because the process was paused or
 * a region was slow. What users write then is not lost.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  administrator,
  bootNetwork,
  type Network,
  type RunningRegion,
  repository,
  signIn,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Written, write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { serverKilled } from '../server-killed.ts'
import { interceptCalls, type PassingCall } from './intercept-calls.ts'
import { endSessions, entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

const source = 0
const target = 1

type Seen = (call: PassingCall) => unknown
const nothing: Seen = () => undefined
let network: Network
let migrationId: number
/** What happens while a call is on its way to the region. */
let seen: [Seen, Seen]
const ends: (() => void)[] = []
beforeAll(async () => {
  const faults = { env: { REGION_FAULTS: '1' } }
  network = await bootNetwork({ regions: [faults, faults], env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
  for (const index of [source, target] as const)
    ends.push(await interceptCalls(network, index, (call) => seen[index](call)))
})
beforeEach(() => {
  seen = [nothing, nothing]
})
afterEach(() => network.setRegionFaults([], target))
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

const region = (index: number) => network.regions[index] as RunningRegion

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

/** Ends the lock as if a minute had passed since its last renewal. */
async function endLock(index: number, room: string): Promise<void> {
  const { client } = region(index)
  const { roomId, lock } = (await client.room(room)) ?? {}
  if (roomId === undefined || lock === null || lock === undefined) throw new Error(`${room} is not locked.`)
  await client.unlockRoom(room, { roomId, holder: lock.holder })
}

async function moveOf(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string; step: string }>(
    `select id, state, step from operations where room_name = $1 and kind = 'room.migrate'`,
    [room],
  )
  return row
}

const errorOf = async (room: string) => {
  const [row] = await network.database.rows<{ error: string | null }>(
    'select error_message as error from rooms where name = $1',
    [room],
  )
  return row?.error
}

/** Runs `happens` once, and holds every call that fits until it is done. */
function once(fits: (call: PassingCall) => boolean, happens: () => Promise<void>): Seen {
  let happened: Promise<void> | null = null
  return (call) => {
    if (!fits(call)) return
    happened ??= happens()
    return happened
  }
}

const isJob = (call: PassingCall, name: string) =>
  call.method === 'PUT' && call.path.startsWith('/region/v1/jobs/') && call.path.includes(`-${name}-`)
const isChangeOf = (room: string, what: string) => (call: PassingCall) =>
  call.method === 'POST' && call.path === `/region/v1/rooms/${room}/${what}`

it('what is written after the last look at the lock of the source, before it is suspended, is not left behind', async () => {
  const room = await roomWithContent()
  let written: Written | null = null
  seen[source] = once(isChangeOf(room, 'suspend'), async () => {
    await endLock(source, room)
    written = await write(region(source), room, 'late', 'by a user')
  })
  await moveAll(network, { migrationId, rooms: [room] })
  expect(written).toBe('acknowledged')
  expect(await documentsOf(source, room)).toContain('late')
  const { row, copies } = await whereabouts(network, room)
  expect(row).toMatchObject({ region_id: 1, state: 'DEFAULT' })
  expect(copies).toEqual([expect.objectContaining({ state: 'active', locked: false }), null])
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
    room_name: room,
    outcome: 'failed',
    error: expect.stringContaining('was gone for a while'),
  })
})

describe('a copy that was made closed, and is open', () => {
  it('is in use: it is kept, although it holds what it held', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    await openTarget(room)
    await network.admin.call('cancelOperation', { params: { id: (await moveOf(room))?.id ?? '' } })
    await network.settle()
    expect((await whereabouts(network, room)).copies[target]).toMatchObject({ state: 'active', locked: false })
    expect(await errorOf(room)).toContain('The copy in region-2 is open for users')
  })

  it('keeps the source closed: users never write to both', async () => {
    const room = await roomWithContent()
    // As if the room had been switched and the database had lost that.
    seen[source] = once(isChangeOf(room, 'suspend'), async () => {
      await endLock(source, room)
      await openTarget(room)
    })
    await moveAll(network, { migrationId, rooms: [room] })
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 1, state: 'ERROR' })
    expect(copies).toMatchObject([{ state: 'suspended' }, { state: 'active', locked: false }])
    expect(await errorOf(room)).toContain('The copy in region-2 is open for users')
  })
})

describe('a switch that the database has lost, but not the record of its end', () => {
  it('is written again before anybody is let into the target', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:switch:recorded:kill')
    await startRun(network, { migrationId, rooms: [room] })
    await serverKilled(network)
    await network.database.rows(
      `with lost as (update rooms set region_id = 1, version = version - 1 where name = $1 returning id)
       insert into capacity_reservations (room_id, region_id, operation_id)
       select lost.id, 2, o.id from lost join operations o on o.room_id = lost.id and o.kind = 'room.migrate'`,
      [room],
    )
    await network.restartServer()
    await network.settle()
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 2, state: 'DEFAULT' })
    expect(copies).toMatchObject([null, { state: 'active', locked: false }])
    expect(await network.database.rows('select from capacity_reservations')).toEqual([])
  })

  it.each([
    ['the target is opened', target, (room: string) => isChangeOf(room, 'resume')],
    ['the source is left', source, () => (call: PassingCall) => isJob(call, 'remove-from-source')],
  ] as const)('is written again also when it is lost while %s', async (_, index, callOf) => {
    const room = await roomWithContent()
    seen[index] = once(callOf(room), () => loseSwitch(room))
    await moveAll(network, { migrationId, rooms: [room] })
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 2, state: 'DEFAULT' })
    expect(copies).toMatchObject([null, { state: 'active', locked: false }])
    expect(await network.database.rows('select from capacity_reservations')).toEqual([])
    const [entry] = (await entriesOf(network, migrationId)).slice(-1)
    expect(entry).toMatchObject({ room_name: room, outcome: 'migrated', error: '' })
    const [step] = await network.database.rows<{ state: string }>(
      `select state from operation_steps where operation_id = $1 and step_id = 'switch'`,
      [(await moveOf(room))?.id],
    )
    expect(step?.state).toBe('done')
  })

  /** As if a standby database had taken over, without the switch and everything after it. */
  async function loseSwitch(room: string): Promise<void> {
    await network.database.rows(
      `with lost as (update rooms set region_id = 1, version = version - 1 where name = $1 returning id),
            move as (select o.id, o.room_id from operations o join lost on lost.id = o.room_id
                      where o.kind = 'room.migrate'),
            place as (insert into capacity_reservations (room_id, region_id, operation_id) select room_id, 2, id from move)
       update operation_steps s
          set state = case when s.position = 7 then 'running' else 'open' end, ended_at = null, output = null
         from move where s.operation_id = move.id and s.position >= 7`,
      [room],
    )
  }
})

it('a room that counts as suspended, and is open in its source all the same, is closed there before the switch', async () => {
  const room = await roomWithContent()
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  await network.settle()
  const { client } = region(source)
  await client.resumeRoom(room, (await client.room(room))?.roomId ?? '')
  await moveAll(network, { migrationId, rooms: [room] })
  const { row, copies } = await whereabouts(network, room)
  expect(row).toMatchObject({ region_id: 2, state: 'SUSPENDED' })
  expect(copies).toMatchObject([null, { state: 'suspended', locked: false }])
})

describe('an undone switch whose target does not answer', () => {
  it('opens the source when the move itself has closed it: a target that is away keeps no room closed', async () => {
    const room = await roomWithContent()
    seen[source] = once(isChangeOf(room, 'suspend'), async () => {
      await endLock(source, room)
      await makeTargetUnreachable(room)
    })
    await startRun(network, { migrationId, rooms: [room] })
    await until('the move has ended', async () => (await moveOf(room))?.state === 'failed')
    expect(await region(source).client.room(room)).toMatchObject({ state: 'active', locked: false })
    await network.setRegionFaults([], target)
    await network.settle()
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 1, state: 'DEFAULT' })
    expect(copies).toMatchObject([{ state: 'active', locked: false }, null])
  })

  it('waits for it when the source was closed before: the database may have lost the switch', async () => {
    const room = await roomWithContent()
    await switchWithoutRecord(room)
    await network.restartServer()
    await expectClosedUntilTargetAnswers(room)
  })

  it('waits for it when the database was restored from a dump', async () => {
    const room = await roomWithContent()
    await switchWithoutRecord(room)
    await network.database.rows(await readFile(join(repository, 'deploy/after-restore.sql'), 'utf8'))
    await network.restartServer()
    network.admin = await signIn(() => network.server.address, administrator)
    await network.admin.call('retryOperation', { params: { id: (await moveOf(room))?.id ?? '' } })
    await expectClosedUntilTargetAnswers(room)
  })

  /** The room was switched, and users write in the target, but the database knows of neither. */
  async function switchWithoutRecord(room: string): Promise<void> {
    await network.planFault('room.migrate:switch:before:kill')
    await startRun(network, { migrationId, rooms: [room] })
    await serverKilled(network)
    const { client } = region(source)
    await endLock(source, room)
    await client.suspendRoom(room, (await client.room(room))?.roomId ?? '')
    await openTarget(room)
    expect(await write(region(target), room, 'late', 'by a user')).toBe('acknowledged')
    await makeTargetUnreachable(room)
  }

  async function expectClosedUntilTargetAnswers(room: string): Promise<void> {
    await until('the undo waits for the target, or the move has ended', async () => {
      const { id = '', state } = (await moveOf(room)) ?? {}
      const lines = await network.database.rows(
        `select 1 from operation_log where operation_id = $1 and text like 'undo: switch to the target: %Trying again%'`,
        [id],
      )
      return lines.length > 0 || state === 'failed'
    })
    expect(await region(source).client.room(room)).toMatchObject({ state: 'suspended' })
    await network.setRegionFaults([], target)
    await network.settle()
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 1, state: 'ERROR' })
    expect(copies).toMatchObject([{ state: 'suspended' }, { state: 'active', locked: false }])
    expect(await documentsOf(target, room)).toContain('late')
    expect(await errorOf(room)).toContain('The copy in region-2')
  }

  const makeTargetUnreachable = (room: string) =>
    network.setRegionFaults(
      [{ method: 'GET', path: `/region/v1/rooms/${room}`, action: 'status', status: 503, times: 100_000 }],
      target,
    )
})

async function openTarget(room: string): Promise<void> {
  await endLock(target, room)
  const { client } = region(target)
  await client.resumeRoom(room, (await client.room(room))?.roomId ?? '')
}

async function documentsOf(index: number, room: string): Promise<string[]> {
  const { client, url } = region(index)
  const { id, token } = await client.openSession(room, 'owner@example.com')
  const found = await Promise.all(
    ['one', 'late'].map(async (document) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}/rooms/${room}/databases/main/documents/${document}`, { headers })
      await answer.body?.cancel()
      return answer.ok ? [document] : []
    }),
  )
  await client.endSession(room, id)
  return found.flat()
}

it('a state entry keeps the lines of its log, with the codes, when its operation is removed', async () => {
  const room = await network.newRoom()
  await moveAll(network, { migrationId, rooms: [room] })
  const { body: entries } = await network.admin.call('migrationStates', { body: { id: migrationId } })
  const stateId = entries.find(({ projectRoomName }) => projectRoomName === room)?.id ?? 0
  const logs = async () => (await network.admin.call('migrationStateLogs', { query: { stateId } })).body
  const before = await logs()
  expect(before.lines.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain('log-copies-equal')
  await network.database.rows('delete from operations where room_name = $1', [room])
  expect(await logs()).toEqual(before)
})
