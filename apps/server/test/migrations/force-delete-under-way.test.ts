/** Nothing is moved to a region while copies are being removed there, however long that takes. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRefusal, makeCopy, roomIdOf } from './call-support.ts'
import { endSessions, entriesOf, moveAll, newMigration, startRun } from './moves.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
})
afterAll(() => network?.stop())

it('no run starts towards a region where a force delete is under way, nor right after it was cancelled', async () => {
  const target = network.regions[1]
  if (target === undefined) throw new Error('There is no target.')
  const [failed, other] = [await network.newRoom(), await network.newRoom()]
  for (const room of [failed, other]) await endSessions(network, room)
  const migrationId = await newMigration(network)
  await makeCopy(target, failed, await roomIdOf(network, failed))
  await moveAll(network, { migrationId, rooms: [failed] })
  expect(await entriesOf(network, migrationId)).toMatchObject([{ room_name: failed, outcome: 'failed' }])

  await network.planFault('migration.force-delete:remove-copies:after:hold')
  const { operationId } = (
    await network.admin.call('forceDeleteFailedRooms', {
      body: { projectRoomNames: [failed], liveMigrationDataID: migrationId },
    })
  ).body
  await until('the force delete is under way', () => network.faultHappened())
  const start = () => startRun(network, { migrationId, rooms: [other] })
  await expect(start()).rejects.toSatisfy(isRefusal('migration-too-early'))
  await network.admin.call('cancelOperation', { params: { id: operationId } })
  await network.settle()
  await expect(start()).rejects.toSatisfy(isRefusal('migration-too-early'))
  expect(await entriesOf(network, migrationId)).toHaveLength(1)
})
