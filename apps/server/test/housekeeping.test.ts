/** Housekeeping removes what is old and keeps what is still needed; nothing hangs. */
import { randomUUID } from 'node:crypto'
import { mailServerId } from '@roomkeeper/contract'
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
})
afterAll(() => network?.stop())

const ids = {
  old: '00000000-0000-4000-8000-000000000001',
  recent: '00000000-0000-4000-8000-000000000002',
  retryable: '00000000-0000-4000-8000-000000000003',
  orphaned: '00000000-0000-4000-8000-000000000004',
  alsoOld: '00000000-0000-4000-8000-000000000005',
}

it('a process that stops as soon as it is ready warns of nothing that it gave up', async () => {
  for (let round = 0; round < 3; round += 1) {
    const server = await network.addServer()
    await server.stop()
    expect(server.output()).not.toContain('housekeeping failed')
  }
})

describe('housekeeping', () => {
  it('removes what is old, keeps what can still be retried, and fails what has no workflow', async () => {
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    const [room] = await network.database.rows<{ id: string }>(`update rooms set state = 'ERROR' returning id`)
    await insertOperation(ids.old, 'failed', '91 days', null)
    await insertOperation(ids.recent, 'failed', '89 days', null)
    await insertOperation(ids.retryable, 'failed', '91 days', room?.id ?? null)
    await insertOperation(ids.orphaned, 'running', '2 minutes', null)
    await network.database.rows(
      `insert into events (payload, at)
       select '{"type":"maintenance"}', now() - age::interval from unnest(array['11 minutes', '9 minutes']) age`,
    )
    await network.database.rows(
      `insert into failed_sign_ins (email, address, at)
       select age, 'old', now() - age::interval from unnest(array['14 minutes', '16 minutes']) age`,
    )
    await insertRunsOf(ids.old, ids.recent)
    await network.database.rows(
      `insert into rate_limit_hits (limit_name, caller, hits, last_at)
       select 'find-customer-room', age, array[now() - age::interval], now() - age::interval
       from unnest(array['59 minutes', '61 minutes']) age`,
    )
    await network.server.stop()
    await network.restartServer()
    // One statement removes both old operations, so once the old one is gone, the others have been spared.
    await until('the old operation is gone', async () => (await stateOf(ids.old)) === null)
    expect(await stateOf(ids.recent)).toBe('failed')
    expect(await stateOf(ids.retryable)).toBe('failed')
    await until('the orphaned operation has failed', async () => (await stateOf(ids.orphaned)) === 'failed')
    const olderEvents = `select (now() - at > '10 minutes') as old from events where now() - at > '8 minutes'`
    expect(await onceOneIsLeft(olderEvents)).toEqual([{ old: false }])
    expect(await onceOneIsLeft(`select email from failed_sign_ins where address = 'old'`)).toEqual([
      { email: '14 minutes' },
    ])
    expect(await onceOneIsLeft('select parent_id from operation_items')).toEqual([{ parent_id: ids.recent }])
    expect(await onceOneIsLeft('select operation_id from forced_deletions')).toEqual([{ operation_id: ids.recent }])
    expect(await onceOneIsLeft('select caller from rate_limit_hits')).toEqual([{ caller: '59 minutes' }])
  })

  it('removes many of them in pieces, and goes on with everything else when a part of it fails', async () => {
    const { rows } = network.database
    await rows(`create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from removed) > 2000 then raise 'A test refuses so many rows at once.'; end if;
        return null;
      end $$`)
    for (const table of ['operations', 'operation_items'])
      await rows(`create trigger refuse_many after delete on ${table} referencing old table as removed
                    for each statement execute function refuse_many()`)
    await rows(`create function refuse() returns trigger language plpgsql as
      $$ begin raise 'A test refuses this.'; end $$`)
    await rows(`create trigger refuse before delete on idempotency_keys execute function refuse()`)
    await rows(`create trigger refuse before delete on bulks execute function refuse()`)
    await rows(
      `insert into operations (id, kind, version, room_name, input, state, started_by, created_at, ended_at)
       select gen_random_uuid(), 'room.create', 1, 'many', '{}', 'done', 'test', at, at
         from generate_series(1, 2500), (select now() - interval '91 days' as at) as old`,
    )
    await rows(
      `insert into operation_items (parent_id, position, room_id, room_name)
       select $1, n, gen_random_uuid(), 'many' from generate_series(1, 4500) as n`,
      [randomUUID()],
    )
    await rows(
      `insert into uploads (name, operator_id, kind, store_key, file_name, size, sha256, delete_after)
       select 'old', id, 'backup', 'uploads/old', 'old.zip', 1, '', now() from operators limit 1`,
    )
    await network.server.stop()
    await network.restartServer()
    const left = async (statement: string) => (await rows(statement)).length
    await until(
      'the operations are gone',
      async () => (await left(`select from operations where room_name = 'many'`)) === 0,
    )
    await until(
      'the items are gone',
      async () => (await left(`select from operation_items where room_name = 'many'`)) === 0,
    )
    await until('the old upload is gone', async () => (await left(`select from uploads where name = 'old'`)) === 0)
    await rows('drop function refuse cascade')
    await rows('drop function refuse_many cascade')
  })

  it('cleans the stores also when it has lost its lock meanwhile', async () => {
    const { rows } = network.database
    await rows(`create function lose_lock() returns trigger language plpgsql as $$
      begin
        perform pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'roomkeeper locks';
        return null;
      end $$`)
    await rows(
      `create trigger lose_lock before delete on idempotency_keys for each statement execute function lose_lock()`,
    )
    await rows(
      `insert into uploads (name, operator_id, kind, store_key, file_name, size, sha256, delete_after)
       select 'of a lost lock', id, 'backup', 'uploads/lost', 'old.zip', 1, '', now() from operators limit 1`,
    )
    await network.server.stop()
    await network.restartServer()
    const left = () => rows(`select from uploads where name = 'of a lost lock'`)
    // At the second turn, if the store was about to ask for its lock as the connection ended.
    await until('the old upload is gone', async () => (await left()).length === 0, 90)
    await until('it is told', async () => network.server.output().includes('housekeeping failed'))
    await rows('drop function lose_lock cascade')
  }, 120_000)

  it.each([
    ['2 days ahead', `- interval '2 days'`],
    ['2 hours back', `+ interval '2 hours'`],
  ])(
    'removes nothing for good after the time has jumped %s, tells it, and goes on when told that it is right',
    async (_, offset) => {
      const { rows } = network.database
      await network.server.stop()
      await rows(
        `insert into uploads (name, operator_id, kind, store_key, file_name, size, sha256, delete_after)
       select 'kept', id, 'backup', 'uploads/kept', 'old.zip', 1, '', now() from operators limit 1`,
      )
      await insertOperation(ids.alsoOld, 'failed', '91 days', null)
      await rows(`update time_looks set looked_at = now() ${offset}`)
      // What was written before the clock was set back holds nothing up.
      await rows(
        `insert into workers (id, machine, started_at, heartbeat_at)
         values (gen_random_uuid(), 'elsewhere', now() - interval '1 day', now() + interval '1 year')`,
      )
      await rows(`insert into room_records_due (room_id, try_at) select id, now() + interval '1 year' from rooms limit 1
                    on conflict (room_id) do update set try_at = excluded.try_at`)
      await rows(`insert into failed_sign_ins (email, address, at) values ('x', 'long ago', now() - interval '1 day')`)
      await network.restartServer()
      const left = async () => (await rows(`select from uploads where name = 'kept'`)).length
      const oldFailures = async () => (await rows(`select from failed_sign_ins where address = 'long ago'`)).length
      await until('housekeeping has looked', async () => (await oldFailures()) === 0)
      const jumped = async () =>
        (await network.admin.call('doctorFindings', { query: {} })).body.data.find(({ kind }) => kind === 'time-jumped')
      await until('it is told', async () => (await jumped()) !== undefined)
      const ofThatTime = `select from workers where machine = 'elsewhere' union all select from room_records_due where try_at > now() + interval '1 hour'`
      await until('what waits is taken back', async () => (await rows(ofThatTime)).length === 0)
      expect([await left(), await stateOf(ids.alsoOld)]).toEqual([1, 'failed'])
      expect((await (await fetch(`${network.server.address}/metrics`)).text()).split('\n')).toContain(
        'roomkeeper_removal_paused 1',
      )
      const found = await jumped()
      await network.admin.call('runDoctor', {})
      await network.settle()
      expect((await jumped())?.id).toBe(found?.id)
      await network.admin.call('repairFinding', { params: { id: found?.id ?? '' }, body: { repair: 'trust-time' } })
      await network.settle()
      expect(await jumped()).toBeUndefined()
      await network.server.stop()
      await network.restartServer()
      await until('the upload is gone', async () => (await left()) === 0)
      await until('the operation is gone', async () => (await stateOf(ids.alsoOld)) === null)
    },
  )

  it('removes nothing by a clock that has jumped since it was looked at', async () => {
    const { rows } = network.database
    await network.server.stop()
    await rows(`update time_looks set looked_at = now(), jumped_from = null, jumped_at = null`)
    await insertOperation(ids.alsoOld, 'failed', '91 days', null)
    const delivery = `from webhook_deliveries where message_id = 'by a wrong clock'`
    await rows(
      `insert into webhook_deliveries (webhook_id, message_id, type, ordering_key, body, state, next_try_at, at)
       values ($1, 'by a wrong clock', 'mail.test', 'x', '{}', 'delivered', null, now() - interval '31 days')`,
      [mailServerId],
    )
    // In the middle of a round: the look was 31 days ago.
    await rows(`create function jump() returns trigger language plpgsql as $$
      begin
        update time_looks set looked_at = now() - interval '31 days';
        return null;
      end $$`)
    await rows('create trigger jump before delete on api_tokens for each statement execute function jump()')
    await rows('create table rounds (at timestamptz not null default now())')
    await rows(`create function count_round() returns trigger language plpgsql as $$
      begin
        insert into rounds default values;
        return null;
      end $$`)
    await rows('create trigger count_round after delete on webhooks for each statement execute function count_round()')
    await network.restartServer()
    await until('the round is over', async () => (await rows('select from rounds')).length > 0)
    expect([(await rows(`select ${delivery}`)).length, await stateOf(ids.alsoOld)]).toEqual([1, 'failed'])
    await network.server.stop()
    await rows('drop function jump cascade; drop function count_round cascade; drop table rounds')
    await rows(`update time_looks set looked_at = now(), jumped_from = null, jumped_at = null`)
    await network.restartServer()
    await until(
      'both are gone',
      async () => (await rows(`select ${delivery}`)).length === 0 && (await stateOf(ids.alsoOld)) === null,
    )
  })

  it('gives what ends or is deleted after the clock was set back no time from before', async () => {
    const { rows } = network.database
    const name = await network.newRoom()
    await timeIsLookedAt()
    await network.admin.call('createWebhook', {
      body: { name: 'told', url: 'https://hooks.example/', events: ['room.deleted'], isOn: true },
    })
    const before = await rows<{ at: string }>(
      `update time_looks set looked_at = now() + interval '50 seconds' returning looked_at as at`,
    )
    const { operationId } = (await network.admin.call('deleteRoom', { body: { roomName: name } })).body
    await network.settle()
    const times = await rows(
      `select o.ended_at >= $1 as ended, b.created_at >= $1 as backup, d.deleted_at >= $1 as deleted,
              d.kept_until >= $1::timestamptz + interval '30 days' as kept,
              (select at >= $1 from webhook_deliveries where type = 'room.deleted' and room_id = d.room_id) as told
         from operations o join deleted_rooms d on d.room_id = o.room_id join room_backups b on b.id = d.backup_id
        where o.id = $2`,
      [before[0]?.at, operationId],
    )
    expect(times).toEqual([{ ended: true, backup: true, deleted: true, kept: true, told: true }])
    await rows('update time_looks set looked_at = now()')
  })

  it('answers a repeated call with the first operation, also when the clock has jumped since', async () => {
    const { rows } = network.database
    const call = { body: roomDraft(), headers: { 'idempotency-key': randomUUID() } }
    const { operationId } = (await network.admin.call('createRoom', call)).body
    await network.settle()
    await timeIsLookedAt()
    const aDayAgo = `now() - interval '25 hours'`
    await rows(`update time_looks set looked_at = ${aDayAgo}`)
    await rows(`update idempotency_keys set at = ${aDayAgo} where operation_id = $1`, [operationId])
    expect((await network.admin.call('createRoom', call)).body).toEqual({ operationId })
    await rows('update time_looks set looked_at = now(), jumped_from = null, jumped_at = null')
  })

  it('removes again what is over when the time was steady for a day', async () => {
    const { rows } = network.database
    await insertOperation(ids.alsoOld, 'failed', '91 days', null)
    await network.server.stop()
    const day = `now() - interval '24 hours'`
    await rows(`update time_looks set looked_at = now(), jumped_from = ${day} - interval '3 days', jumped_at = ${day}`)
    await network.restartServer()
    await until('the operation is gone', async () => (await stateOf(ids.alsoOld)) === null)
    expect(await rows('select jumped_at, jumped_from from time_looks')).toEqual([
      { jumped_at: null, jumped_from: null },
    ])
  })

  it('leaves running operations alone, however long they take', async () => {
    const body = roomDraft()
    await network.setRegionFaults([
      { method: 'GET', path: `/region/v1/rooms/${body.tenantName}`, times: 1, action: 'hang' },
    ])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await until('it runs', async () => (await stateOf(operationId)) === 'running')
    await network.database.rows(
      `update operations set (created_at, executed_at, claimed_at) = (select age, age, age from (select now() - interval '100 days' as age) as old)
        where id = $1`,
      [operationId],
    )
    await insertOperation(ids.alsoOld, 'failed', '91 days', null)
    const second = await network.addServer({ PROCESS: 'worker' })
    await until('housekeeping has looked at the operations', async () => (await stateOf(ids.alsoOld)) === null)
    // When the row of the second dead worker is gone, the operations of the first one have been handled.
    for (const title of ['a dead worker', 'another dead worker']) {
      const id = await insertDeadWorker()
      await until(`${title} was found`, async () => !(await isWorker(id)))
    }
    const [found] = await network.database.rows('select state, fence from operations where id = $1', [operationId])
    expect(found).toEqual({ state: 'running', fence: 1 })
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

/** By this server, so that it does not look again soon. */
function timeIsLookedAt(): Promise<void> {
  const looked = 'select from time_looks where looked_at > (select max(started_at) from workers)'
  return until('the time was looked at', async () => (await network.database.rows(looked)).length > 0)
}

async function stateOf(id: string): Promise<string | null> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state ?? null
}

/** Inserts two runs of a live migration with one room each, and force deletes from 21 and 19 minutes ago. */
async function insertRunsOf(old: string, recent: string): Promise<void> {
  const { rows } = network.database
  await rows(`insert into regions (name, url, user_name, password, system_password, products)
    values ('target', 'http://127.0.0.1:9', 'x', '', '', '{}')`)
  await rows('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
  await rows(
    `insert into operation_items (parent_id, position, migration_id, room_id, room_name)
     select id, 0, 1, gen_random_uuid(), 'x' from unnest($1::uuid[]) as id`,
    [[old, recent]],
  )
  await rows(
    `insert into forced_deletions (region_id, operation_id, ended_at)
     values (2, $1, now() - interval '21 minutes'), (2, $2, now() - interval '19 minutes')`,
    [old, recent],
  )
}

/** Waits until one row is left. @returns the rows; fewer if housekeeping removes too many */
async function onceOneIsLeft(statement: string): Promise<object[]> {
  let rows: object[] = []
  await until(`there is one row of: ${statement}`, async () => {
    rows = await network.database.rows<object>(statement)
    return rows.length <= 1
  })
  return rows
}

/** Inserts a dead worker on another machine, so that only its heartbeat counts. */
async function insertDeadWorker(): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>(
    `insert into workers (id, heartbeat_at) values (gen_random_uuid(), now() - interval '1 hour') returning id`,
  )
  return row?.id ?? ''
}

async function isWorker(id: string): Promise<boolean> {
  return (await network.database.rows('select from workers where id = $1', [id])).length > 0
}
