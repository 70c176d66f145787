/**
 * A bug ends a move after the point of no return, or in its undo. Separate operations remove whatever is left, after
 * proving that nobody works in it.
 */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())
// After each test the doctor finds nothing.
afterEach(async () => expect(await network.doctor()).toEqual([]))

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

async function suspendedRoom(): Promise<string> {
  const room = await roomWithContent()
  await network.admin.call('suspendRoom', { body: { roomName: room, userNotification: false } })
  await network.settle()
  return room
}

async function moveOf(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string }>(
    `select id, state from operations where room_name = $1 and kind = 'room.migrate'`,
    [room],
  )
  return row
}

describe('a mistake after the switch', () => {
  const points = [
    'switch:after',
    'switch:recorded',
    'open-target:before',
    'open-target:after',
    'open-target:recorded',
    'leave-source:before',
    'leave-source:after',
    'leave-source:recorded',
  ]
  it.each(points)(
    'at %s leaves the room in the target, open for its users, and nothing in the source',
    async (point) => {
      await expectMovedInSpiteOf(point, await roomWithContent())
    },
  )

  it.each(['switch:after', 'leave-source:before'])('at %s leaves a suspended room so', async (point) => {
    await expectMovedInSpiteOf(point, await suspendedRoom())
  })

  it('takes back no step of the move', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:leave-source:before:break')
    await moveAll(network, { migrationId, rooms: [room] })
    expect(await network.faultHappened()).toBe(true)
    const { id = '' } = (await moveOf(room)) ?? {}
    const { body } = await network.admin.call('operationLog', { query: { processId: id } })
    expect(body.steps.map(({ state }) => state)).toEqual([...Array<string>(9).fill('done'), 'failed'])
  })

  async function expectMovedInSpiteOf(point: string, room: string): Promise<void> {
    const before = await whereabouts(network, room)
    await network.planFault(`room.migrate:${point}:break`)
    await moveAll(network, { migrationId, rooms: [room] })
    expect(await network.faultHappened()).toBe(true)
    expect(await moveOf(room)).toMatchObject({ state: 'failed' })
    expect(await whereabouts(network, room)).toEqual({
      row: { ...before.row, region_id: 2 },
      copies: [null, before.copies[0]],
      reserved: 0,
    })
  }
})

describe('a mistake in the undo of the copy', () => {
  it.each(['create-copy', 'restore-copy', 'compare-copies'])(
    'of a move that was cancelled at the step %s leaves the room in its source as before, and nothing in the target',
    async (step) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${step}:after:hold`)
      await startRun(network, { migrationId, rooms: [room] })
      await until('the step is held', () => network.faultHappened())
      await network.planFault('room.migrate:create-copy:undo:break')
      await network.admin.call('cancelOperation', { params: { id: (await moveOf(room))?.id ?? '' } })
      await network.settle()
      expect(await network.faultHappened()).toBe(true)
      expect(await whereabouts(network, room)).toEqual(before)
      // The room can be moved again.
      await moveAll(network, { migrationId, rooms: [room] })
      expect((await whereabouts(network, room)).row?.region_id).toBe(2)
    },
  )
})
