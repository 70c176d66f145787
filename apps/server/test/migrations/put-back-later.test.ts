/** A move that failed before the switch and could not undo everything: Retry does, and the room is as before. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

it('a room in error after a move that did not switch is whole again after Retry', async () => {
  const migrationId = await newMigration(network)
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  const before = await whereabouts(network, room)
  // The source is suspended for the switch, which fails; then the source refuses to resume the room.
  await network.planFault('room.migrate:switch:before:fail')
  const path = `/region/v1/rooms/${room}/resume`
  await network.setRegionFaults([{ method: 'POST', path, times: 100, action: 'status', status: 400 }])
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await whereabouts(network, room)).row?.state).toBe('ERROR')
  await network.setRegionFaults([])
  const [move] = await network.database.rows<{ id: string }>(
    `select id from operations where room_name = $1 and kind = 'room.migrate'`,
    [room],
  )
  await network.admin.call('retryOperation', { params: { id: move?.id ?? '' } })
  await network.settle()
  expect(await whereabouts(network, room)).toEqual(before)
})
