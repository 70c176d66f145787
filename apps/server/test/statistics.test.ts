/** The counts of the statistics screen, over HTTP. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

// shows: C-roomStatistics
it('counts rooms that came, were suspended and went, as its filters say', async () => {
  const listed = { filter_keys: ['projectRoomState'], filter_values: ['DEFAULT'], filter_conditions: ['EQUALS'] }
  const statistics = async () => (await network.admin.call('roomStatistics', { query: listed })).body
  expect((await statistics()).createdPerMonth).toEqual([])
  const first = await network.newRoom({ licenses: { YABD: 3 } })
  await network.newRoom({ licenses: { YABD: 2 } })
  const month = new Date().toISOString().slice(0, 7)
  expect(await statistics()).toMatchObject({
    byRegion: [{ region: 1, regionName: 'region-1', rooms: 2 }],
    createdPerMonth: [{ month, rooms: 2 }],
    licenses: { designers: 5 },
  })
  await network.admin.call('suspendRoom', { body: { roomName: first, userNotification: false } })
  expect(await statistics()).toMatchObject({ createdPerMonth: [{ month, rooms: 1 }], licenses: { designers: 2 } })
  await network.admin.call('deleteRoom', { body: { roomName: first } })
  await network.settle()
  const { body } = await network.admin.call('roomStatistics', {})
  expect(body.createdPerMonth).toEqual([{ month, rooms: 1 }])
})
