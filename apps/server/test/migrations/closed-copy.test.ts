/**
 * The copy in the target is closed until the room is switched to it, even if its lock is not renewed: users who could
 * work in it would lose what they wrote.
 */
import { bootNetwork, type Network, type RunningRegion, roomDraft, skewedClock, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { serverKilled } from '../server-killed.ts'
import { endSessions, entriesOf, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())
afterEach(() => network.setRegionFaults([], 1))

const source = () => network.regions[0] as RunningRegion
const target = () => network.regions[1] as RunningRegion

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

describe('a move whose worker is dead for longer than a lock lasts', () => {
  it.each([
    ['create-copy', 'made', 2],
    ['restore-copy', 'filled', 1],
    ['compare-copies', 'compared', 1],
  ])(
    'after the step %s, when the copy is %s, lets nobody into the copy, and the room is whole in one region',
    async (step, _, endsIn) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${step}:after:kill`)
      await startRun(network, { migrationId, rooms: [room] })
      await serverKilled(network)
      await endLocksOfTarget(room)
      expect(await write(target(), room, 'late', 'by a user who came too early')).toBe('refused')
      await network.restartServer()
      await network.settle()
      // A copy that was just created is locked again; any other gap in a lock ends the move.
      expect(await whereabouts(network, room)).toEqual(endsIn === 1 ? before : inTarget(before))
    },
  )
})

describe('a target that cannot open the room after the switch', () => {
  /** The room is switched to the target and waits to be opened. */
  async function movedAndClosed() {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    const path = `/region/v1/rooms/${room}/resume`
    await network.setRegionFaults([{ method: 'POST', path, action: 'status', status: 503, times: 100_000 }], 1)
    await startRun(network, { migrationId, rooms: [room] })
    await ends(room, 'room.migrate', 'done')
    return { room, before }
  }

  it('holds neither the run nor its slots; users are let in by an operation of its own, also after a kill', async () => {
    const { room, before } = await movedAndClosed()
    expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'migrated' })
    expect(await network.database.rows('select from operation_slots')).toEqual([])
    expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 2, state: 'IN_PROGRESS' })
    // Nothing has been removed yet.
    expect(await source().client.room(room)).toMatchObject({ state: 'suspended' })
    await network.planFault('migration.open-target:open-target:after:kill')
    await network.setRegionFaults([], 1)
    await serverKilled(network)
    await network.restartServer()
    await network.settle()
    expect(await whereabouts(network, room)).toEqual(inTarget(before))
    expect(await network.doctor()).toEqual([])
  })

  it('leaves the room there, suspended, when the opening is cancelled', async () => {
    const { room } = await movedAndClosed()
    const { id } = (await operationOf(room, 'migration.open-target')) ?? { id: '' }
    await network.admin.call('cancelOperation', { params: { id } })
    await ends(room, 'migration.open-target', 'cancelled')
    await endLocksOfTarget(room)
    await network.settle()
    expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 2, state: 'SUSPENDED' })
    await network.admin.call('resumeRoom', { body: { roomName: room } })
    await network.settle()
    expect(await write(target(), room, 'later', 'by a user')).toBe('acknowledged')
  })

  /** The room works in the target, and its copy in the source is left. */
  async function movedWithoutCleanUp() {
    const { room } = await movedAndClosed()
    const { id } = (await operationOf(room, 'migration.leave-source')) ?? { id: '' }
    await network.admin.call('cancelOperation', { params: { id } })
    await ends(room, 'migration.leave-source', 'cancelled')
    await network.setRegionFaults([], 1)
    await network.settle()
    expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 2, state: 'DEFAULT' })
    expect(await source().client.room(room)).toMatchObject({ state: 'suspended' })
    return room
  }

  it('has its room deleted from the source, too, when the clean-up there was cancelled', async () => {
    const room = await movedWithoutCleanUp()
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    expect((await whereabouts(network, room)).copies).toEqual([null, null])
    expect((await logOf(room, 'room.delete')).join()).toContain('the copy that a move left in region-1 was removed')
  })

  it('and when the source cannot delete it, that is said of the copy that stays there', async () => {
    const room = await movedWithoutCleanUp()
    const jobs = { method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 503, times: 100_000 } as const
    await network.setRegionFaults([jobs], 0)
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    await network.setRegionFaults([], 0)
    expect((await logOf(room, 'room.delete')).join()).toContain('A copy that a move had left stays in region-1: ')
    const found = await network.doctor()
    expect(found.map(({ text }) => text).join()).toContain(
      `region-1 has a copy of the project room ${room} that this console had until`,
    )
    await network.admin.call('createRoom', { body: roomDraft({ tenantName: room }) })
    await network.settle()
    const { body } = await network.admin.call('room', { query: { projectRoom: room } })
    expect(body.errorMessage).toContain('which a clean-up of this console has left')
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    const { roomId = '', lock } = (await source().client.room(room)) ?? {}
    await source().client.runJob(crypto.randomUUID(), { type: 'deleteRoom', room, roomId, holder: lock?.holder })
  })

  it('and when the target has lost it, the copy in the source stays, also after a deletion that failed', async () => {
    const room = await movedWithoutCleanUp()
    const { roomId = '' } = (await target().client.room(room)) ?? {}
    const lost = (code: string | null) =>
      network.database.rows(`update rooms set state = 'ERROR', error_code = $2 where name = $1`, [room, code])
    await lost('lost')
    const jobs = { method: 'PUT', path: '/region/v1/jobs/', action: 'status', status: 400, times: 100_000 } as const
    await network.setRegionFaults([jobs], 1)
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await ends(room, 'room.delete', 'failed')
    await network.setRegionFaults([], 1)
    const code = () => network.database.rows('select error_code from rooms where name = $1', [room])
    expect(await code()).toEqual([{ error_code: 'lost' }])
    await lost(null)
    await target().client.runJob(crypto.randomUUID(), { type: 'deleteRoom', room, roomId })
    await network.admin.call('deleteRoom', { body: { roomName: room } })
    await network.settle()
    const copy = await source().client.room(room)
    expect(copy).toMatchObject({ state: 'suspended' })
    expect((await logOf(room, 'room.delete')).join()).toContain(
      'A copy that a move had left stays in region-1: It may hold what the project room has lost.',
    )
    const holder = copy?.lock?.holder
    await source().client.runJob(crypto.randomUUID(), { type: 'deleteRoom', room, roomId, holder })
  })

  it('keeps the source until users are let in, also when no lock is left', async () => {
    const { room, before } = await movedAndClosed()
    const { roomId = '', lock } = (await target().client.room(room)) ?? {}
    await target().client.unlockRoom(room, { roomId, holder: lock?.holder ?? '' })
    const looks = async () => (await logOf(room, 'migration.leave-source')).length
    const seen = await looks()
    // The first of these checks may have begun earlier.
    await until('the target was looked at twice', async () => (await looks()) > seen + 1)
    expect(await target().client.room(room)).toMatchObject({ state: 'suspended', locked: false })
    expect(await source().client.room(room)).toMatchObject({ state: 'suspended' })
    await network.setRegionFaults([], 1)
    await network.settle()
    expect(await whereabouts(network, room)).toEqual(inTarget(before))
  })

  it('never opens a room that is open in its source, and says so; Retry looks again', async () => {
    const { room, before } = await movedAndClosed()
    const roomId = before.copies[0]?.roomId ?? ''
    await source().client.resumeRoom(room, roomId)
    await ends(room, 'migration.open-target', 'failed')
    await endLocksOfTarget(room)
    await ends(room, 'migration.leave-source', 'failed')
    expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 2, state: 'ERROR' })
    await source().client.suspendRoom(room, roomId)
    for (const kind of ['migration.open-target', 'migration.leave-source']) {
      await network.admin.call('retryOperation', { params: { id: (await operationOf(room, kind))?.id ?? '' } })
      await network.settle()
    }
    expect(await whereabouts(network, room)).toEqual(inTarget(before))
  })
})

it('a move that goes on after its room was opened in the source again does not open it twice; Retry checks again', async () => {
  const room = await roomWithContent()
  const before = await whereabouts(network, room)
  const roomId = before.copies[0]?.roomId ?? ''
  // The steps after the recorded switch are repeated: to the regions this looks like a restored dump.
  await network.planFault('room.migrate:switch:recorded:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  await source().client.resumeRoom(room, roomId)
  await network.restartServer()
  await ends(room, 'migration.open-target', 'failed')
  const holder = (await target().client.room(room))?.lock?.holder ?? ''
  await target().client.unlockRoom(room, { roomId, holder })
  await ends(room, 'migration.leave-source', 'failed')
  expect((await whereabouts(network, room)).row).toMatchObject({ region_id: 2, state: 'ERROR' })
  expect(await source().client.room(room)).toMatchObject({ state: 'active' })
  expect(await target().client.room(room)).toMatchObject({ state: 'suspended' })
  await source().client.suspendRoom(room, roomId)
  for (const kind of ['migration.open-target', 'migration.leave-source']) {
    await network.admin.call('retryOperation', { params: { id: (await operationOf(room, kind))?.id ?? '' } })
    await network.settle()
  }
  expect(await whereabouts(network, room)).toEqual(inTarget(before))
})

type Whereabouts = Awaited<ReturnType<typeof whereabouts>>

function inTarget(before: Whereabouts): Whereabouts {
  return { row: before.row && { ...before.row, region_id: 2 }, copies: [null, before.copies[0] ?? null], reserved: 0 }
}

async function operationOf(room: string, kind: string) {
  const [row] = await network.database.rows<{ id: string; state: string }>(
    'select id, state from operations where room_name = $1 and kind = $2 order by created_at desc limit 1',
    [room, kind],
  )
  return row
}

async function logOf(room: string, kind: string): Promise<string[]> {
  const lines = await network.database.rows<{ text: string }>(
    `select l.text from operation_log l join operations o on o.id = l.operation_id where o.room_name = $1 and o.kind = $2`,
    [room, kind],
  )
  return lines.map(({ text }) => text)
}

const ends = (room: string, kind: string, state: string) =>
  until(`${kind} of ${room} is ${state}`, async () => (await operationOf(room, kind))?.state === state)

let hours = 0

/** Restarts the target with its clock an hour ahead. */
async function endLocksOfTarget(room: string): Promise<void> {
  hours += 1
  target().child.kill('SIGKILL')
  await network.restartRegion(1, skewedClock(hours * 3600))
  await until('the lock has ended', async () => (await target().client.room(room))?.locked === false, 90)
}
