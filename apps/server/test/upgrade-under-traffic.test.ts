/** The schema change that gives steps their ids, on a database with a long history while the previous release runs. */
import { randomUUID } from 'node:crypto'
import { until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { applySchemaChanges } from '#platform/schema-changes.ts'
import { takeBackStepIds } from './earlier-release.ts'
import { createTestDatabase, openTestPool } from './test-database.ts'

const database = await createTestDatabase()
// Without a statement time-out, as for schema changes.
const pool = openTestPool({ connectionString: database.url })
const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
afterAll(() => pool.end())

beforeEach(async () => {
  await takeBackStepIds(rows)
})

test('it waits for a transaction that has started an operation and not yet its steps, and neither is ended', async () => {
  const client = await connected()
  const id = randomUUID()
  await client.query('begin')
  await startRow(client, id)
  const applied = applySchemaChanges(pool)
  await until('it waits for the operations', async () => {
    const waiting = `select from pg_locks where not granted and relation = 'operations'::regclass`
    return (await rows(waiting)).length > 0
  })
  await startSteps(client, id)
  await client.query('commit')
  expect(await applied).toEqual(['038-step-ids.sql'])
  expect(await rows('select step_id from operation_steps where operation_id = $1 order by position', [id])).toEqual([
    { step_id: 'make-backup' },
    { step_id: 'store-backup' },
  ])
})

test('it writes no row of the operations that have ended, and those under way go on meanwhile', async () => {
  await makeHistory()
  const versions = (table: string, id: string) =>
    rows(`select count(*) as n, md5(string_agg(xmin::text || ctid::text, ',' order by ctid)) as versions
            from ${table} where ${id} in (select id from operations where ended_at is not null)`)
  const history = async () => [await versions('operations', 'id'), await versions('operation_steps', 'operation_id')]
  const before = await history()
  expect(before).toMatchObject([[{ n: 20_000 }], [{ n: 120_000 }]])
  const traffic = await startTraffic()
  expect(await applySchemaChanges(pool)).toEqual(['038-step-ids.sql'])
  await traffic.stop()
  expect(await history()).toEqual(before)
  const underWay = 'operations o join operation_steps s on s.operation_id = o.id where o.ended_at is null'
  expect(await rows(`select distinct s.name, s.step_id from ${underWay} order by 1`)).toEqual([
    { name: 'bring the backup into the store', step_id: 'store-backup' },
    { name: 'make the backup on the region', step_id: 'make-backup' },
  ])
  expect(await rows(`select distinct o.step, o.step_id from ${underWay} and o.step is not null`)).toEqual([
    { step: 'bring the backup into the store', step_id: 'store-backup' },
  ])
})

async function makeHistory(): Promise<void> {
  await rows(
    `insert into operations (id, kind, version, room_name, input, started_by, state, step, ended_at)
     select gen_random_uuid(), 'room.backup', 1, 'old', '{}', 'x', 'failed', 'record the backup', now()
       from generate_series(1, 20000)`,
  )
  await rows(
    `insert into operation_steps (operation_id, position, name, state)
     select id, position, 'record the backup', 'done' from operations, generate_series(0, 5) as position
      where ended_at is not null`,
  )
}

/** Processes of the earlier release start operations until they are stopped. Each has already started one. */
async function startTraffic(): Promise<{ stop(): Promise<unknown> }> {
  let isOver = false
  const clients = await Promise.all([connected(), connected(), connected()])
  await Promise.all(clients.map(operationOfEarlierRelease))
  const running = Promise.all(
    clients.map(async (client) => {
      while (!isOver) await operationOfEarlierRelease(client)
    }),
  )
  return {
    stop() {
      isOver = true
      return running
    },
  }
}

/** Starts an operation and its second step as processes of the earlier release do. */
async function operationOfEarlierRelease(client: pg.Client): Promise<void> {
  const id = randomUUID()
  await client.query('begin')
  await startRow(client, id)
  await startSteps(client, id)
  await client.query('commit')
  await client.query(
    `with held as (update operations set step = 'bring the backup into the store', fence = fence + 1 where id = $1
                   returning fence)
     update operation_steps s set state = 'running' from held where s.operation_id = $1 and s.position = 1`,
    [id],
  )
}

async function startRow(client: pg.Client, id: string): Promise<void> {
  await client.query(
    `insert into operations (id, kind, version, room_name, input, started_by, state)
     values ($1, 'room.backup', 1, 'new', '{}', 'x', 'waiting')`,
    [id],
  )
}

async function startSteps(client: pg.Client, id: string): Promise<void> {
  await client.query(
    `insert into operation_steps (operation_id, position, name, state)
     values ($1, 0, 'make the backup on the region', 'open'), ($1, 1, 'bring the backup into the store', 'open')`,
    [id],
  )
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
