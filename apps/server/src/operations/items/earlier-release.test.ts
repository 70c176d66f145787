/** Processes of the release before go on with live migrations while the schema is changed under them. */
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { applySchemaChanges, readSchemaChanges, schemaFolder } from '#platform/schema-changes.ts'
import { createEmptyDatabase, openTestPool } from '../../../test/test-database.ts'

const [run, bulk] = [randomUUID(), randomUUID()]

test('they read, write and recount the rooms of runs before and after what is recorded is translated', async () => {
  const pool = await databaseBefore(65)
  await pool.query(`insert into regions (name, url, user_name, password, system_password, products)
    select 'region ' || n, 'http://127.0.0.1:' || n, '', '', '', '{}' from generate_series(1, 2) as n`)
  await pool.query('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
  await insertAsBefore(pool, 2500)
  await pool.query(`update live_migration_rooms
    set state = (array['migrated', 'postponed', 'failed'])[position % 3 + 1], ended_at = now() where position < 2400`)
  await applyBefore(pool, 80)
  await pool.query(
    `insert into operations (id, kind, version, room_name, input, state, started_by)
     values ($1, 'bulk.run', 1, '', '{}', 'running', 'test')`,
    [bulk],
  )
  await pool.query(
    `insert into operation_items (parent_id, position, room_id, room_name, region_id) values ($1, 0, $2, 'other', 1)`,
    [bulk, randomUUID()],
  )
  const before = { failed: 800, migrated: 800, postponed: 800, waiting: 100 }
  expect(await seenBefore(pool)).toEqual([before, before])
  await pool.query(`update live_migration_rooms set state = 'running' where position between 2400 and 2409`)
  await pool.query(`update live_migration_rooms set state = 'migrated', bytes = 5 where position between 2400 and 2404`)
  const during = { failed: 800, migrated: 805, postponed: 800, running: 5, waiting: 90 }
  expect(await seenBefore(pool)).toEqual([during, during])

  await applyBefore(pool, 1000)
  expect(await seenBefore(pool)).toEqual([during, during])
  const { rows: states } = await pool.query(
    'select state, count(*)::int as n from operation_items where parent_id = $1 group by state order by state',
    [run],
  )
  expect(states).toEqual([
    { state: 'done', n: 805 },
    { state: 'failed', n: 800 },
    { state: 'running', n: 5 },
    { state: 'skipped', n: 800 },
    { state: 'waiting', n: 90 },
  ])
  // As the doctor of the release before counts anew.
  await pool.query(
    `begin; lock table live_migration_rooms in share row exclusive mode; delete from live_migration_counts`,
  )
  await pool.query(
    `insert into live_migration_counts
     select run_id, state, count(*), coalesce(sum(bytes), 0) from live_migration_rooms group by run_id, state`,
  )
  await pool.query('commit')
  expect(await seenBefore(pool)).toEqual([during, during])
  const { rows: ofBulk } = await pool.query('select rooms::int from operation_item_counts where parent_id = $1', [bulk])
  expect(ofBulk).toEqual([{ rooms: 1 }])
})

test('a run of many rooms is begun and removed by them in one statement each', async () => {
  const pool = await databaseBefore(1000)
  await pool.query(`insert into regions (name, url, user_name, password, system_password, products)
    select 'region ' || n, 'http://127.0.0.1:' || n, '', '', '', '{}' from generate_series(1, 2) as n`)
  await pool.query('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
  const writes = async () =>
    (await pool.query<{ n: number }>('select last_value::int as n from operation_item_counts_writes')).rows[0]?.n ?? 0
  const before = await writes()
  await insertAsBefore(pool, 1000)
  await pool.query(`delete from live_migration_rooms where migration_id = 1 and state <> 'running'`)
  expect((await writes()) - before).toBeLessThanOrEqual(2)
  expect(await seenBefore(pool)).toEqual([{}, {}])
})

async function databaseBefore(number: number) {
  // One connection, as the transaction of a repair needs.
  const pool = openTestPool({ connectionString: await createEmptyDatabase(), max: 1 })
  onTestFinished(() => pool.end())
  await applyBefore(pool, number)
  return pool
}

async function applyBefore(pool: ReturnType<typeof openTestPool>, number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const change of await readSchemaChanges())
    if (change.number < number) await cp(join(schemaFolder, change.name), join(folder, change.name))
  await applySchemaChanges(pool, folder)
}

async function insertAsBefore(pool: ReturnType<typeof openTestPool>, rooms: number): Promise<void> {
  await pool.query(
    `insert into live_migration_rooms (run_id, position, migration_id, room_id, room_name)
     select $1, position - 1, 1, id, id::text
       from (select gen_random_uuid() as id, n as position from generate_series(1, $2::int) as n) as room`,
    [run, rooms],
  )
}

/** How many rooms are in each state: by their rows, and by the counts of them, of all runs. */
async function seenBefore(pool: ReturnType<typeof openTestPool>) {
  const statements = [
    'select state, count(*)::int as n from live_migration_rooms group by state',
    'select state, sum(rooms)::int as n from live_migration_counts group by state having sum(rooms) <> 0',
  ]
  const seen: Record<string, number>[] = []
  for (const statement of statements) {
    const { rows } = await pool.query<{ state: string; n: number }>(statement)
    seen.push(Object.fromEntries(rows.map(({ state, n }) => [state, n])))
  }
  return seen
}
