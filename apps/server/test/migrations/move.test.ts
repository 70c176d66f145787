/** Rooms move between regions: whole, once, and only when they can. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { countsAreRight, entriesOf, migrationState, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

it('rooms move with all they hold, in the state they were in, and nothing stays behind', async () => {
  const active = await network.newRoom()
  await writeDocuments(network, active, { one: { from: 'a user' }, two: { text: 'ö'.repeat(2000) } })
  const suspended = await network.newSuspendedRoom()
  const before = [await whereabouts(network, active), await whereabouts(network, suspended)]
  await network.regions[0]?.client
    .sessions(active)
    .then((all) => Promise.all(all.map((each) => network.regions[0]?.client.endSession(active, each.id))))
  const id = await newMigration(network)
  await moveAll(network, { migrationId: id, rooms: [active, suspended] })
  expect(await entriesOf(network, id)).toMatchObject([
    { room_name: active, outcome: 'migrated' },
    { room_name: suspended, outcome: 'migrated' },
  ])
  expect(await migrationState(network, id)).toEqual({ state: 'COMPLETED', warning: false })
  for (const [index, name] of [active, suspended].entries()) {
    const was = before[index]
    expect(await whereabouts(network, name)).toEqual({
      row: { ...was?.row, region_id: 2 },
      copies: [null, was?.copies[0]],
      reserved: 0,
    })
  }
  expect(await countsAreRight(network)).toBe(true)
})
