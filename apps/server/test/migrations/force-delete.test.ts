/** What failed moves left in a target is removed, and never a copy that is in use. */
import { DBOSClient } from '@dbos-inc/dbos-sdk'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startForceDelete } from '#live-migrations/operations/start-force-delete.ts'
import { applicationName, schemaName } from '#operations/index.ts'
import { openDatabase } from '#platform/database.ts'
import { entriesOf, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())

it('a copy that a failed move left is in the way until it is removed by force; then the room moves', async () => {
  const room = await network.newRoom()
  const before = await whereabouts(network, room)
  await leaveCopy(room)
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('force delete'),
  })
  // Failing did not remove it either: only an operator says that nobody needs it.
  expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
  await removeByForce([room])
  expect(await whereabouts(network, room)).toEqual(before)
  const ended = await network.database.rows('select from forced_deletions where region_id = 2')
  expect(ended).toHaveLength(1)
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ outcome: 'migrated' })
})

it('the copy in use, and a room of the same name that is another, are never removed', async () => {
  const moved = await network.newRoom()
  await moveAll(network, { migrationId, rooms: [moved] })
  await expect(removeByForce([moved])).rejects.toSatisfy((error) => String(error).includes('is the one in use'))
  const named = await network.newRoom()
  await leaveCopy(named, crypto.randomUUID())
  await removeByForce([named])
  expect((await whereabouts(network, named)).copies[1]).not.toBeNull()
})

/** As a move leaves it whose undo could not reach the target. */
async function leaveCopy(name: string, roomId?: string): Promise<void> {
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  await network.regions[1]?.client.createRoom(name, {
    roomId: roomId ?? row?.id ?? '',
    product: 'ARIS',
    edition: 'basic',
    licences: [],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'Left',
      customerFirstName: 'A',
      customerLastName: 'B',
      customerContactDetails: null,
      ownerEmail: 'left@example.com',
      delegateEmail: null,
    },
  })
}

async function removeByForce(names: string[]): Promise<void> {
  const database = openDatabase(network.database.url, { maxConnections: 1 })
  const client = await DBOSClient.create({
    systemDatabaseUrl: network.database.url,
    systemDatabaseSchemaName: schemaName,
    systemDatabasePoolSize: 1,
    applicationName,
  })
  const rooms = await network.database.rows<{ id: string; name: string }>(
    'select id, name from rooms where name = any($1)',
    [names],
  )
  try {
    await database.transaction((tx, connection) =>
      startForceDelete(tx, connection, client, { migrationId, rooms, startedBy: 'admin@localhost', requestId: null }),
    )
  } finally {
    await client.destroy()
    await database.close()
  }
  await network.settle()
}
