/** One region server is registered as two regions: its rooms survive everything that operators are advised to do. */
import { bootNetwork, type Network, type RunningRegion } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertAlias, type OlderRegion, underAnotherName, withoutInstanceId } from '../alias-of-region.ts'
import { isRefusal, newestAudit, roomIdOf } from './call-support.ts'
import { entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'

let network: Network
let region: RunningRegion
let older: OlderRegion
beforeAll(async () => {
  network = await bootNetwork()
  region = network.regions[0] as RunningRegion
  older = await withoutInstanceId(region)
})
afterAll(async () => {
  older?.stop()
  await network?.stop()
})

const forceDelete = (migrationId: number, room: string) =>
  network.admin.call('forceDeleteFailedRooms', { body: { projectRoomNames: [room], liveMigrationDataID: migrationId } })

it('a failed move and the force delete that it advises leave the only copy, although the server has no id', async () => {
  const alias = await insertAlias(network, older.url)
  const migrationId = await newMigration(network, { targetRegion: alias })
  const room = await network.newRoom()
  const before = await whereabouts(network, room)
  await moveAll(network, { migrationId, rooms: [room] })
  const [entry] = await entriesOf(network, migrationId)
  expect(entry).toMatchObject({ outcome: 'failed' })
  await forceDelete(migrationId, room)
  await network.settle()
  expect(await whereabouts(network, room)).toEqual(before)
  expect(entry?.error).toBe('The target is the same server as the source: there is nothing to move.')
  const lines = await network.database.rows<{ text: string }>(
    `select text from operation_log join operations on operations.id = operation_id
      where kind = 'migration.force-delete' order by operations.n desc, operation_log.n`,
  )
  const kept = `${room}: kept. It is the copy in use: the target is the same server as region-1.`
  expect(lines.map(({ text }) => text)).toContainEqual(expect.stringContaining(kept))
})

it('a force delete leaves the only copy also where the server does not tell who holds a lock', async () => {
  const silent = await withoutInstanceId(region, { tellsHolders: false })
  try {
    const alias = await insertAlias(network, silent.url, 'silent')
    const migrationId = await newMigration(network, { targetRegion: alias })
    // If a room is active, every copy is kept.
    const room = await network.newSuspendedRoom()
    const before = await whereabouts(network, room)
    await insertFailure(migrationId, room, alias)
    await forceDelete(migrationId, room)
    await network.settle()
    expect(await whereabouts(network, room)).toEqual(before)
  } finally {
    silent.stop()
  }
})

it('where the ids are known, nothing begins: neither the move nor the force delete', async () => {
  const alias = await insertAlias(network, underAnotherName(region), 'by-name')
  const migrationId = await newMigration(network, { targetRegion: alias })
  const room = await network.newRoom()
  const before = await whereabouts(network, room)
  const selection = { liveMigrationData: { id: migrationId }, selectedRooms: [room] }
  const { body: found } = await network.admin.call('preflightLiveMigration', { query: {}, body: selection })
  expect(found.obstacles).toEqual([
    {
      kind: 'same-server',
      effect: 'fails',
      text: 'The regions region-1 and by-name are the same server: there is nothing to move.',
      reason: { code: 'move-same-server', params: { source: 'region-1', target: 'by-name' } },
    },
  ])
  expect(found.rooms[0]?.obstacles.map(({ kind }) => kind)).toEqual(['same-server'])
  await network.database.rows('update regions set instance_id = null')
  await expect(startRun(network, { migrationId, rooms: [room] })).rejects.toSatisfy(isRefusal('same-server'))
  await insertFailure(migrationId, room, alias)
  await expect(forceDelete(migrationId, room)).rejects.toSatisfy(isRefusal('copy-in-use'))
  expect(await newestAudit(network)).not.toMatchObject({ action: 'live-migration.force-delete' })
  expect(await whereabouts(network, room)).toEqual(before)
})

it('a copy is kept when the region in use does not show the room, and when the room went with its region', async () => {
  const alias = await insertAlias(network, older.url, 'left')
  const migrationId = await newMigration(network, { sourceRegion: 1, targetRegion: alias })
  const room = await network.newRoom()
  const id = await roomIdOf(network, room)
  await insertFailure(migrationId, room, alias)
  const nowhere = await insertAlias(network, 'http://127.0.0.1:1', 'nowhere')
  await network.database.rows('update rooms set region_id = $1 where id = $2', [nowhere, id])
  await network.admin.call('deleteRegion', { body: { id: nowhere } })
  await forceDelete(migrationId, room)
  await network.settle()
  expect(await region.client.room(room)).toMatchObject({ roomId: id, locked: false })
})

async function insertFailure(migrationId: number, room: string, target: number): Promise<void> {
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, outcome, source_region_id, target_region_id)
     values ($1, $2, $3, 'failed', 1, $4)`,
    [migrationId, await roomIdOf(network, room), room, target],
  )
}
