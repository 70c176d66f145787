/** A room that was removed from the console with its region is adopted together with its backups. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { previewOf, regionAt, repair, runDoctor } from './run-doctor.ts'

const tables = ['room_backups', 'database_backups']
let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
})
afterAll(() => network?.stop())

it("the preview says how many backups are kept and where the room was, and they are the room's again", async () => {
  const name = await network.newRoom()
  await network.admin.call('backupDatabase', { body: { projectRoomName: name, databaseName: 'main' } })
  await network.settle()
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
  await network.settle()
  const [before] = await network.database.rows<{ name: string }>('select name from regions where id = 1')
  await network.admin.call('deleteRegion', { body: { id: 1 } })
  const { url, userName, password, systemPassword } = regionAt(network, 0)
  const login = { userName, password, passwordSystem: systemPassword }
  const products: ['ARIS', 'MINING', 'ENTERPRISE'] = ['ARIS', 'MINING', 'ENTERPRISE']
  const again = { regionName: 'again', regionIPorURL: url, productVersion: products, maxNumOfTenants: -1 }
  await network.admin.call('createRegion', { body: { ...login, ...again } })
  // As after a deletion, when the backups of a room expire after 30 days.
  for (const table of tables) await network.database.rows(`update ${table} set expires_at = now() + interval '1 day'`)
  const [finding, ...more] = await runDoctor(network)
  if (finding === undefined) throw new Error('The room was not found.')
  expect({ kind: finding.kind, more }).toEqual({ kind: 'room-unknown', more: [] })
  const { reason, changes } = await previewOf(network, finding, 'adopt')
  expect({ reason, backups: changes.find(({ field }) => field === 'backups') }).toEqual({
    reason: null,
    backups: { field: 'backups', from: null, to: 2 },
  })
  const known = { field: 'lastRegion', from: null, to: before?.name }
  expect(changes.find(({ field }) => field === 'lastRegion')).toEqual(known)
  expect(await repair(network, finding, 'adopt')).toEqual({ state: 'done', error: null })
  expect((await network.admin.call('roomBackups', { query: { projectRoom: name } })).body).toHaveLength(1)
  const expiring = tables.map((table) => network.database.rows(`select from ${table} where expires_at is not null`))
  expect((await Promise.all(expiring)).flat()).toEqual([])
  expect(await runDoctor(network)).toEqual([])
})
