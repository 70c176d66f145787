/** Backup policies over HTTP, and one that backs up a running room of a real region. */
import { type BackupPolicyDraft, ProblemError } from '@roomkeeper/contract'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { digestOf, writeDocuments } from './life/room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}] })
})
afterAll(() => network?.stop())

const draft = (name: string): BackupPolicyDraft => ({
  name,
  isOn: true,
  rooms: { regions: [], products: [], editions: [], query: null },
  kind: 'classic',
  schedule: { every: 'hours', hours: 1 },
  keep: { daily: 7, weekly: 4, monthly: 0 },
  verifyEvery: 0,
})

// shows: C-backupPolicies, C-createBackupPolicy, C-changeBackupPolicy, C-deleteBackupPolicy
it('is created, changed and deleted, and a change of a stale one is refused', async () => {
  const { body: made } = await network.admin.call('createBackupPolicy', { body: { ...draft('Nightly'), isOn: false } })
  expect(made).toMatchObject({ name: 'Nightly', isOn: false, version: 1 })
  const taken = network.admin.call('createBackupPolicy', { body: draft('nightly') })
  expect(await refusalOf(taken)).toMatchObject({ type: 'urn:roomkeeper:backup-policy-name-taken' })
  const params = { id: made.id }
  const body = { ...draft('Weekly'), isOn: false, version: 1 }
  expect((await network.admin.call('changeBackupPolicy', { params, body })).body).toMatchObject({
    name: 'Weekly',
    version: 2,
  })
  const stale = network.admin.call('changeBackupPolicy', { params, body })
  expect(await refusalOf(stale)).toMatchObject({ status: 409, type: 'urn:roomkeeper:backup-policy-stale' })
  await network.admin.call('deleteBackupPolicy', { params })
  expect((await network.admin.call('backupPolicies', {})).body).toEqual([])
  for (const call of [
    () => network.admin.call('deleteBackupPolicy', { params }),
    () => network.admin.call('changeBackupPolicy', { params, body }),
  ])
    expect(await refusalOf(call())).toMatchObject({ type: 'urn:roomkeeper:backup-policy-unknown' })
  // Its name is free, and its counter of failures is gone.
  const { body: again } = await network.admin.call('createBackupPolicy', { body: { ...draft('Weekly'), isOn: false } })
  const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
  expect(metrics.match(/backups_failed_total\{policy="Weekly"\}/g)).toHaveLength(1)
  await network.admin.call('deleteBackupPolicy', { params: { id: again.id } })
})

it('switched off or of other rooms, begins nothing that waits', { timeout: 120_000 }, async () => {
  const name = await network.newRoom()
  await network.database.rows(`update rooms set state = 'IN_PROGRESS' where name = $1`, [name])
  const { body: made } = await network.admin.call('createBackupPolicy', { body: draft('Waiting') })
  const params = { id: made.id }
  const waiting = () => network.database.rows('select from scheduled_backups where policy_id = $1', [made.id])
  const waits = () =>
    network.database.rows(
      `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until)
       select $1::uuid, id, region_id, now() - interval '1 second', now(), now() + interval '1 hour' from rooms
        where name = $2`,
      [made.id, name],
    )
  const others = { ...draft('Waiting'), rooms: { ...draft('Waiting').rooms, products: ['MINING' as const] } }
  await network.admin.call('changeBackupPolicy', { params, body: others })
  await waits()
  await until('it is forgotten', async () => (await waiting()).length === 0)
  await network.admin.call('changeBackupPolicy', { params, body: draft('Waiting') })
  await waits()
  await network.admin.call('changeBackupPolicy', { params, body: { ...draft('Waiting'), isOn: false } })
  await until('it is forgotten', async () => (await waiting()).length === 0)
  await network.admin.call('deleteBackupPolicy', { params })
  await network.database.rows('delete from rooms where name = $1', [name])
})

// shows: policy-when, policy-runs, C-previewBackupPolicy, stored-restore-kept
it('backs up a running room, which goes on running, and does not remove a backup that is restored', {
  timeout: 300_000,
}, async () => {
  const name = await network.newRoom()
  await writeDocuments(network, name, { one: { from: 'before' } })
  const digest = await digestOf(network, name)
  const { body: policy } = await network.admin.call('createBackupPolicy', { body: draft('Hourly') })
  // As if the workers had been away for two hours.
  await network.database.rows(`update backup_policies set scheduled_until = now() - interval '2 hours' where id = $1`, [
    policy.id,
  ])
  await lookNow()
  const backups = async () => (await network.admin.call('roomBackups', { query: { projectRoom: name } })).body
  await until('the room has a backup', async () => (await backups()).length > 0, 150)
  await network.settle()
  expect(await backups()).toHaveLength(1)
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room.projectRoomState).toBe('DEFAULT')
  const preview = await network.admin.call('previewBackupPolicy', { body: draft('Hourly') })
  expect(preview.body).toMatchObject({ rooms: 1, bytes: expect.any(Number) })

  await lookNow()
  const runs = async () => (await network.admin.call('backupPolicies', {})).body[0]?.runs
  await until('the run is settled', async () => (await runs())?.done === 1)
  expect(await runs()).toEqual({ lastAt: expect.any(String), done: 1, missed: 0, failed: 0 })
  const metrics = await (await fetch(`${network.server.address}/metrics`)).text()
  expect(metrics).toContain('roomkeeper_backups_failed_total{policy="Hourly"} 0')
  const hints = await network.database.rows<{ payload: unknown }>(
    `select payload from events where payload::jsonb ->> 'id' = $1`,
    [policy.id],
  )
  expect(hints).toEqual([{ payload: { type: 'backup-policy', id: policy.id } }])

  const audited = `select from audit where room_name = $1 and action <> 'room.create'`
  expect(await network.database.rows(audited, [name])).toEqual([])

  const [backup] = await backups()
  expect(backup?.policies).toEqual(['Hourly'])
  await writeDocuments(network, name, { one: { from: 'after' } })
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  // The policy keeps neither this one nor an older one any more when it is changed.
  await network.database.rows(
    `with aged as (
       update room_backups set created_at = now() - interval '12 days' where room_name = $2
       returning room_id, room_name, kind
     ), others as (
       insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at)
       select gen_random_uuid(), room_id, room_name, kind, 'rooms/gone-' || days, 1, '', now() - make_interval(days => days), now()
         from aged cross join unnest('{10,11,13}'::int[]) as days
       returning id, room_id, created_at
     )
     insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until, state, operation_id,
                                    retention_applied)
     select $1::uuid, room_id, 1, created_at, created_at, created_at, 'done', id, true from others`,
    [policy.id, name],
  )
  const body = { ...draft('Hourly'), keep: { daily: 2, weekly: 0, monthly: 0 } }
  await network.setRegionFaults([{ path: `/region/v1/rooms/${name}`, action: 'status', times: 1000 }])
  const restore = { projectRoom: { tenantName: name }, backupId: backup?.id ?? '' }
  await network.admin.call('restoreRoom', { body: restore })
  await network.admin.call('changeBackupPolicy', { params: { id: policy.id }, body })
  await lookNow()
  await until('the older one is gone', async () => (await backups()).length === 3, 150)
  expect(await backups()).toContainEqual(expect.objectContaining({ id: backup?.id }))
  await network.setRegionFaults([])
  await network.settle()
  expect(await digestOf(network, name)).toBe(digest)
  await lookNow()
  await until('only two are kept', async () => (await backups()).length === 2, 150)
})

/** A worker looks when it starts, and then every minute. */
async function lookNow(): Promise<void> {
  await network.addServer({ PROCESS: 'worker' })
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  const refused = await call.catch((error: unknown) => error)
  return refused instanceof ProblemError ? refused.problem : refused
}
