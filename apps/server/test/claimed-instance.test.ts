/** A region that claims another region's instance id takes nothing from it; operators see both and can go on. */
import { join } from 'node:path'
import { bootNetwork, type Network, type RunningRegion, startRegion } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { creation } from './doctor/creation.ts'
import { type HostileRegion, Refused, registerHostileRegion } from './doctor/hostile-region.ts'

let network: Network
let other: RunningRegion
let hostile: HostileRegion
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  other = await startRegion({ name: 'other', dataDir: join(network.dir, 'other') })
  hostile = await registerHostileRegion(network)
  // A test of the connection begins an update of a room that is nowhere, to have the system password checked.
  hostile.otherwise = (path) => (path.startsWith('jobs/') ? new Refused(404, 'no such room', 'room-unknown') : null)
})
afterAll(async () => {
  await network?.stop()
  await other?.stop('SIGKILL')
  await hostile?.stop().catch(() => undefined)
})

const idOf = async (region: RunningRegion | undefined) => (await region?.client.status())?.instanceId
const claim = async (instanceId: string | null | undefined) => {
  await network.database.rows('update regions set instance_id = null where id = $1', [hostile.id])
  hostile.answers.status = () => ({ name: 'x', version: '1', instanceId, products: [], rooms: 0, freeBytes: 0 })
  await network.admin.call('testRegion', { body: { id: hostile.id } })
}
const warnings = async () => {
  const { body } = await network.admin.call('regions', {})
  return Object.fromEntries(body.map((each) => [each.regionName, each.warning]))
}
const register = () =>
  network.admin.call('createRegion', {
    body: {
      regionName: 'other',
      regionIPorURL: other.url,
      userName: other.userName,
      password: other.password,
      passwordSystem: other.systemPassword,
    },
  })

it('a region that is known stays what it is, and both are marked', async () => {
  const known = await idOf(network.regions[0])
  const room = await network.newRoom({ region: 1 })
  await claim(known)
  expect(await warnings()).toEqual({ 'region-1': 'registered-twice', hostile: 'registered-twice' })
  await network.admin.call('roomLicences', { query: { projectRoom: room } })
  await network.newRoom({ region: 1 })
  const rows = await network.database.rows('select instance_id from regions where id = 1')
  expect(rows).toEqual([{ instance_id: known }])
})

it('one that is not known yet is refused with the name of the other, and that is in the audit trail with both', async () => {
  await claim(await idOf(other))
  await other.client.createRoom('untouched', creation('6d2f7a52-8c3b-4b0e-9f62-8a4b6f6f7a10'))
  const detail = 'This server is already registered as region hostile.'
  await expect(register()).rejects.toMatchObject({ problem: { status: 409, detail } })
  const { data } = (await network.admin.call('audit', { query: { action: 'region.refused' } })).body
  expect(data[0]).toMatchObject({
    actor: 'admin@localhost',
    detail: 'other: this server is already registered as region hostile',
  })
  expect(await other.client.room('untouched')).not.toBeNull()
})

it('which is registered all the same while it does not answer, works, and is marked until the other has gone', async () => {
  await claim(await idOf(other))
  await other.client.createRoom('kept', creation('0b6f5d0e-3f43-4a0e-8d0c-5a6f0d9b7c21'))
  const { dataDir, port } = other
  await other.stop('SIGKILL')
  const { body } = await register()
  other = await startRegion({ name: 'other', dataDir, port })
  await network.newRoom({ region: body.regionId })
  expect(await warnings()).toMatchObject({ other: 'registered-twice', hostile: 'registered-twice' })
  await network.admin.call('deleteRegion', { body: { id: hostile.id } })
  expect(await warnings()).toMatchObject({ other: null })
  await network.newRoom({ region: body.regionId })
  expect(await other.client.room('kept')).not.toBeNull()
})
