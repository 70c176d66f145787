/**
 * The move of a room, made to go wrong at every step: killed, it goes on; made to fail or cancelled before the switch,
 * the room is in its source as before; after the switch it is in the target.
 */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { countsAreRight, endSessions, entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

const steps = 10
const switchAt = 7

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

type Whereabouts = Awaited<ReturnType<typeof whereabouts>>

async function expectMoved(room: string, before: Whereabouts): Promise<void> {
  expect(await whereabouts(network, room)).toEqual({
    row: { ...before.row, region_id: 2 },
    copies: [null, before.copies[0]],
    reserved: 0,
  })
  expect(await countsAreRight(network)).toBe(true)
}

async function outcomeOf(room: string): Promise<string[]> {
  const entries = await entriesOf(network, migrationId)
  return entries.filter((entry) => entry.room_name === room).map((entry) => entry.outcome)
}

const positions = Array.from({ length: steps }, (_, position) => position)
const beforeSwitch = positions.filter((position) => position < switchAt)
const afterSwitch = positions.filter((position) => position >= switchAt)

describe('a server killed', () => {
  const points = [
    ...positions.map((position) => `room.migrate:${position}:after`),
    `room.migrate:${switchAt}:before`,
    `room.migrate:${switchAt}:recorded`,
    `room.migrate:${steps}:before`,
    'migration.run:0:after',
  ]
  it.each(points)('at %s goes on after its restart, and the room is moved once', async (point) => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.planFault(`${point}:kill`)
    await startRun(network, { migrationId, rooms: [room] })
    await network.server.ended
    await network.restartServer()
    await network.settle()
    await expectMoved(room, before)
    expect(await outcomeOf(room)).toEqual(['migrated'])
  })

  it('while it undoes leaves the room as before', async () => {
    const room = await roomWithContent()
    const before = await whereabouts(network, room)
    await network.planFault('room.migrate:6:after:fail')
    await startRun(network, { migrationId, rooms: [room] })
    await until('the step has failed', () => network.faultHappened())
    await network.planFault('room.migrate:4:undo:kill')
    await Promise.race([network.server.ended, network.settle()])
    if (await network.faultHappened()) await network.restartServer()
    await network.settle()
    expect(await whereabouts(network, room)).toEqual(before)
  })
})

describe('a move that fails', () => {
  // shows: move-undone
  it.each(beforeSwitch)(
    'after the work of step %i was done leaves the room in its source as before',
    async (position) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${position}:after:fail`)
      await moveAll(network, { migrationId, rooms: [room] })
      expect(await network.faultHappened()).toBe(true)
      expect(await whereabouts(network, room)).toEqual(before)
      expect(await outcomeOf(room)).toEqual(['failed'])
      await moveAll(network, { migrationId, rooms: [room] })
      await expectMoved(room, before)
    },
  )

  // shows: move-forward
  it.each(afterSwitch)(
    'after the work of step %i was done leaves the room in its target, to be retried',
    async (position) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${position}:after:fail`)
      await moveAll(network, { migrationId, rooms: [room] })
      expect(await network.faultHappened()).toBe(true)
      expect((await whereabouts(network, room)).row).toEqual({ ...before.row, region_id: 2 })
      const [move] = await network.database.rows<{ id: string }>(
        `select id from operations where room_name = $1 and kind = 'room.migrate'`,
        [room],
      )
      await network.admin.call('retryOperation', { params: { id: move?.id ?? '' } })
      await network.settle()
      await expectMoved(room, before)
      expect(await outcomeOf(room)).toEqual(['migrated'])
    },
  )
})

describe('a move that is cancelled', () => {
  it.each(beforeSwitch)(
    'after the work of step %i was done leaves the room in its source, postponed',
    async (position) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${position}:after:hold`)
      await startRun(network, { migrationId, rooms: [room] })
      await until('the step is held', () => network.faultHappened())
      const [move] = await network.database.rows<{ id: string }>(
        `select id from operations where room_name = $1 and kind = 'room.migrate'`,
        [room],
      )
      await network.admin.call('cancelOperation', { params: { id: move?.id ?? '' } })
      await network.settle()
      const { row } = before
      const expected = row === null ? null : { ...row, priority: row.priority + 1 }
      expect(await whereabouts(network, room)).toEqual({ ...before, row: expected })
      expect(await outcomeOf(room)).toEqual(['postponed'])
    },
  )
})
