/**
 * The copy in the target is closed until the room is switched to it, also when nobody renews its lock any more: who
 * could work in it would lose what he wrote.
 */
import { bootNetwork, clockThatIsOff, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
beforeAll(async () => {
  const env = { REGION_FAULTS: '1' }
  network = await bootNetwork({ regions: [{ env }, { env }], env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())
afterEach(() => network.setRegionFaults([], 1))

const target = () => network.regions[1] as RunningRegion

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

describe('a move whose worker is dead for longer than a lock lasts', () => {
  it.each([
    [4, 'made', 2],
    [5, 'filled', 1],
    [6, 'compared', 1],
  ])(
    'after step %i, when the copy is %s, lets nobody into the copy, and the room is whole in one region',
    async (position, _, ends) => {
      const room = await roomWithContent()
      const before = await whereabouts(network, room)
      await network.planFault(`room.migrate:${position}:after:kill`)
      await startRun(network, { migrationId, rooms: [room] })
      await network.server.ended
      await endLocksOfTarget(room)
      expect(await write(target(), room, 'late', 'by a user who came too early')).toBe('refused')
      await network.restartServer()
      await network.settle()
      // A copy that had just been made is locked anew; any other gap ends the move.
      const inUse = before.copies[0]
      expect(await whereabouts(network, room)).toEqual({
        row: { ...before.row, region_id: ends },
        copies: ends === 1 ? [inUse, null] : [null, inUse],
        reserved: 0,
      })
    },
  )
})

let hours = 0

/** Its clock goes on by an hour. */
async function endLocksOfTarget(room: string): Promise<void> {
  hours += 1
  target().child.kill('SIGKILL')
  await network.restartRegion(1, clockThatIsOff(hours * 3600))
  await until('the lock has ended', async () => (await target().client.room(room))?.locked === false, 90)
}
