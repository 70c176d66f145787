/**
 * The move of a room is interrupted at every step. Killed, it continues. If it fails or is cancelled before the switch,
 * the room is in its source as before; after the switch, it is in the target.
 */
import { bootNetwork, type Network, sampled, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrongDocuments } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { serverKilled } from '../server-killed.ts'
import { stepsOf } from '../steps-of.ts'
import { countsAreRight, endSessions, entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

const steps = stepsOf('room.migrate')
const switchAt = steps.indexOf('switch')

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())

const documents = { one: 'from a user' }

/** @returns the room's name and its digest in the source */
async function roomWithContent(): Promise<{ room: string; digest: string }> {
  const room = await network.newRoom()
  await writeDocuments(network, room, documents)
  await endSessions(network, room)
  const digest = (await whereabouts(network, room)).copies[0]?.digest ?? ''
  await expectIn(1, room, digest)
  return { room, digest }
}

/** The room is whole and open in this region and in no other, and the console says so. */
async function expectIn(region: 1 | 2, room: string, digest: string, priority = 0): Promise<void> {
  const { roomId } = await network.database
    .rows<{ roomId: string }>('select id as "roomId" from rooms where name = $1', [room])
    .then(([row]) => row ?? { roomId: '' })
  const copy = { state: 'active', locked: false, digest, roomId }
  expect(await whereabouts(network, room)).toEqual({
    row: { region_id: region, state: 'DEFAULT', priority },
    copies: region === 1 ? [copy, null] : [null, copy],
    reserved: 0,
  })
  expect(await countsAreRight(network)).toBe(true)
}

/** Checked last, because reading opens a session. */
async function expectContent(region: 1 | 2, room: string): Promise<void> {
  const running = network.regions[region - 1]
  if (running === undefined) throw new Error(`There is no region ${region}.`)
  const certain = new Map(Object.entries(documents))
  expect(await wrongDocuments(running, room, { certain, possible: new Map() })).toEqual([])
}

async function outcomeOf(room: string): Promise<string[]> {
  const entries = await entriesOf(network, migrationId)
  return entries.filter((entry) => entry.room_name === room).map((entry) => entry.outcome)
}

const beforeSwitch = steps.slice(0, switchAt)
const afterSwitch = steps.slice(switchAt)

describe('a server killed', () => {
  const points = [
    ...steps.map((step) => `room.migrate:${step}:after`),
    'room.migrate:switch:before',
    'room.migrate:switch:recorded',
    'room.migrate:end:before',
    'migration.run:move-rooms:after',
  ]
  it.each(sampled('points of a move at which a server is killed', points))(
    'at %s goes on after its restart, and the room is moved once',
    async (point) => {
      const { room, digest } = await roomWithContent()
      await network.planFault(`${point}:kill`)
      await startRun(network, { migrationId, rooms: [room] })
      await serverKilled(network)
      await network.restartServer()
      await network.settle()
      await expectIn(2, room, digest)
      expect(await outcomeOf(room)).toEqual(['migrated'])
      await expectContent(2, room)
    },
  )

  it('while it undoes what has failed leaves the room as before', async () => {
    const { room, digest } = await roomWithContent()
    // The target refuses the backup, from its source and from the console.
    const refusal = { method: 'PUT', path: '/region/v1/files/', action: 'status', status: 400, times: 2 }
    await network.setRegionFaults([refusal], 1)
    await network.planFault('room.migrate:create-copy:undo:kill')
    await startRun(network, { migrationId, rooms: [room] })
    await serverKilled(network)
    expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
    await network.restartServer()
    await network.settle()
    await expectIn(1, room, digest)
    expect(await outcomeOf(room)).toEqual(['failed'])
    await expectContent(1, room)
  })

  it('while it undoes what was cancelled leaves the room as before, postponed', async () => {
    const { room, digest } = await roomWithContent()
    await network.planFault('room.migrate:compare-copies:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('the step is held', () => network.faultHappened())
    await network.planFault('room.migrate:create-copy:undo:kill')
    await network.admin.call('cancelOperation', { params: { id: await moveOf(room) } })
    await serverKilled(network)
    expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
    await network.restartServer()
    await network.settle()
    await expectIn(1, room, digest, 1)
    expect(await outcomeOf(room)).toEqual(['postponed'])
    await expectContent(1, room)
  })
})

describe('a move that fails', () => {
  // shows: move-undone
  it.each(sampled('steps at which a move fails before its switch', beforeSwitch))(
    'after the work of the step %s was done leaves the room in its source as before',
    async (step) => {
      const { room, digest } = await roomWithContent()
      await network.planFault(`room.migrate:${step}:after:fail`)
      await moveAll(network, { migrationId, rooms: [room] })
      expect(await network.faultHappened()).toBe(true)
      await expectIn(1, room, digest)
      expect(await outcomeOf(room)).toEqual(['failed'])
      await moveAll(network, { migrationId, rooms: [room] })
      await expectIn(2, room, digest)
      await expectContent(2, room)
    },
  )

  // shows: move-forward
  it.each(sampled('steps at which a move fails after its switch', afterSwitch))(
    'after the work of the step %s was done leaves the room in its target, to be retried',
    async (step) => {
      const { room, digest } = await roomWithContent()
      await network.planFault(`room.migrate:${step}:after:fail`)
      await moveAll(network, { migrationId, rooms: [room] })
      expect(await network.faultHappened()).toBe(true)
      expect((await whereabouts(network, room)).row).toEqual({ region_id: 2, state: 'DEFAULT', priority: 0 })
      await network.admin.call('retryOperation', { params: { id: await moveOf(room) } })
      await network.settle()
      await expectIn(2, room, digest)
      expect(await outcomeOf(room)).toEqual(['migrated'])
      await expectContent(2, room)
    },
  )
})

describe('a move that is cancelled', () => {
  it.each(sampled('steps at which a move is cancelled', beforeSwitch))(
    'after the work of the step %s was done leaves the room in its source, postponed',
    async (step) => {
      const { room, digest } = await roomWithContent()
      await network.planFault(`room.migrate:${step}:after:hold`)
      await startRun(network, { migrationId, rooms: [room] })
      await until('the step is held', () => network.faultHappened())
      await network.admin.call('cancelOperation', { params: { id: await moveOf(room) } })
      await network.settle()
      await expectIn(1, room, digest, 1)
      expect(await outcomeOf(room)).toEqual(['postponed'])
      await expectContent(1, room)
    },
  )
})

/** The operation that moves the room. */
async function moveOf(room: string): Promise<string> {
  const [move] = await network.database.rows<{ id: string }>(
    `select id from operations where room_name = $1 and kind = 'room.migrate'`,
    [room],
  )
  return move?.id ?? ''
}
