/** The last backup of each room: in the list, the export, the statistics and the metrics. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
})
afterAll(() => network?.stop())

async function withoutBackup() {
  const query = {
    filter_keys: ['projectRoomState'],
    filter_values: ['MARKED_FOR_DELETION'],
    filter_conditions: ['NOT_EQUALS'],
  }
  const { body } = await network.admin.call('roomStatistics', { query: query as never })
  const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
  const measured = metrics.matchAll(/^roomkeeper_rooms_without_backup\{days="(\d+)"\} (\d+)$/gm)
  const counted = body.withoutBackup.map(({ days, rooms }) => [days, rooms])
  expect([...measured].map(([, days, rooms]) => [Number(days), Number(rooms)])).toEqual(counted)
  return Object.fromEntries(counted) as Record<string, number>
}

// shows: verify-column, verify-statistics
it('is shown, exported and counted from its record on, and no more after its removal', async () => {
  const [backedUp, other] = [await network.newRoom(), await network.newRoom()]
  expect(await withoutBackup()).toEqual({ 1: 2, 7: 2, 30: 2 })
  const list = async () => {
    const { body } = await network.admin.call('listRooms', {
      query: { order_by: 'lastBackup', order_dir: 'asc' } as never,
    })
    return body.data.map(({ tenantName, lastBackupAt }) => [tenantName, lastBackupAt])
  }
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
     select gen_random_uuid(), id, name, 'd2o', 's3://bucket/a.zip', 1, '', '2026-03-01T10:00:00Z' from rooms where name = $1`,
    [backedUp],
  )
  expect(await list()).toEqual([
    [other, null],
    [backedUp, '2026-03-01T10:00:00.000Z'],
  ])
  const answer = await fetch(`${network.server.address}/api/operator/export_tenants?order_by=lastBackup`, {
    headers: { authorization: `Bearer ${network.admin.token}` },
  })
  const csv = await answer.text()
  expect(csv).toMatch(/Last backup,Last backup restored in a test/)
  expect(csv).toContain('2026-03-01T10:00:00Z')
  await network.database.rows(`update room_backups set created_at = now() - interval '2 days'`)
  expect(await withoutBackup()).toEqual({ 1: 2, 7: 1, 30: 1 })
  await network.database.rows('delete from room_backups')
  expect(await withoutBackup()).toEqual({ 1: 2, 7: 2, 30: 2 })
})
