/** What is old goes, what is still needed stays, and nothing hangs. */
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: [{ env: { REGION_FAULTS: '1' } }] })
})
afterAll(() => network?.stop())

const ids = {
  old: '00000000-0000-4000-8000-000000000001',
  recent: '00000000-0000-4000-8000-000000000002',
  retryable: '00000000-0000-4000-8000-000000000003',
  forsaken: '00000000-0000-4000-8000-000000000004',
}

describe('housekeeping', () => {
  it('removes what is old, keeps what can still be retried, and fails what has no workflow', async () => {
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    const [room] = await network.database.rows<{ id: string }>(`update rooms set state = 'ERROR' returning id`)
    await insertOperation(ids.old, 'failed', '91 days', null)
    await insertOperation(ids.recent, 'failed', '89 days', null)
    await insertOperation(ids.retryable, 'failed', '91 days', room?.id ?? null)
    await insertOperation(ids.forsaken, 'running', '2 minutes', null)
    await network.database.rows(
      `insert into events (payload, at) values ('{"type":"maintenance"}', now() - interval '11 minutes')`,
    )
    await network.database.rows(
      `insert into failed_sign_ins (email, address, at) values ('old', 'old', now() - interval '16 minutes')`,
    )
    await insertRunsOf(ids.old, ids.recent)
    await network.database.rows(
      `insert into turns (what, who, at, last_at)
       select 'find-customer-room', age, array[now() - age::interval], now() - age::interval
       from unnest(array['59 minutes', '61 minutes']) age`,
    )
    await network.server.stop()
    await network.restartServer()
    await until('the old operation is gone', async () => (await stateOf(ids.old)) === null)
    await until('the forsaken operation has failed', async () => (await stateOf(ids.forsaken)) === 'failed')
    expect(await stateOf(ids.recent)).toBe('failed')
    expect(await stateOf(ids.retryable)).toBe('failed')
    expect(await network.database.rows(`select 1 from events where at < now() - interval '10 minutes'`)).toEqual([])
    expect(await network.database.rows(`select 1 from failed_sign_ins where email = 'old'`)).toEqual([])
    await until('rooms of a run that is gone are gone', async () => (await roomsOfRuns()).length === 1)
    expect(await roomsOfRuns()).toEqual([{ run_id: ids.recent }])
    expect(await network.database.rows('select operation_id from forced_deletions')).toEqual([
      { operation_id: ids.recent },
    ])
    expect(await network.database.rows('select who from turns')).toEqual([{ who: '59 minutes' }])
  })

  it('leaves running operations alone, however long they take', async () => {
    const body = roomDraft()
    await fetch(`${network.regions[0]?.url}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ method: 'GET', path: `/region/v1/rooms/${body.tenantName}`, times: 1, action: 'hang' }]),
    })
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await until('it runs', async () => (await stateOf(operationId)) === 'running')
    await network.database.rows(`update operations set created_at = now() - interval '5 minutes' where id = $1`, [
      operationId,
    ])
    const second = await network.addServer({ PROCESS: 'worker' })
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await stateOf(operationId)).toBe('cancelled')
    await second.stop()
  })
})

async function insertOperation(id: string, state: string, age: string, roomId: string | null): Promise<void> {
  await network.database.rows(
    `insert into operations (id, kind, version, process_type, room_id, room_name, input, state, started_by, created_at, ended_at)
     values ($1, 'room.create', 1, 'Create PR', $4, 'x', '{}', $2::text, 'test', now() - $3::interval,
             case when $2::text = 'failed' then now() - $3::interval end)`,
    [id, state, age, roomId],
  )
}

async function stateOf(id: string): Promise<string | null> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state ?? null
}

/** Runs of a live migration, each of one room, and force deletes of 21 and 19 minutes ago. */
async function insertRunsOf(old: string, recent: string): Promise<void> {
  const { rows } = network.database
  await rows(`insert into regions (name, url, user_name, password, system_password, products)
    values ('target', 'http://127.0.0.1:9', 'x', '', '', '{}')`)
  await rows('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
  await rows(
    `insert into live_migration_rooms (run_id, position, migration_id, room_id, room_name)
     select id, 0, 1, gen_random_uuid(), 'x' from unnest($1::uuid[]) as id`,
    [[old, recent]],
  )
  await rows(
    `insert into forced_deletions (region_id, operation_id, ended_at)
     values (2, $1, now() - interval '21 minutes'), (2, $2, now() - interval '19 minutes')`,
    [old, recent],
  )
}

function roomsOfRuns(): Promise<{ run_id: string }[]> {
  return network.database.rows('select run_id from live_migration_rooms')
}
