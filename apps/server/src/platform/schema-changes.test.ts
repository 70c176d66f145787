import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@roomkeeper/dev-env'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createEmptyDatabase, openTestPool } from '../../test/test-database.ts'
import { applySchemaChanges, readSchemaChanges } from './schema-changes.ts'

const first = 'create table firsts (n integer);'
const second = 'create table seconds (n integer); insert into seconds values (1);'

test('changes are applied in order, once', async () => {
  const pool = await emptyDatabase()
  expect(await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': first }))).toEqual(['001-firsts.sql'])
  const folder = await folderWith({ '002-seconds.sql': second, '001-firsts.sql': first, 'notes.sql': 'nonsense' })
  expect(await applySchemaChanges(pool, folder)).toEqual(['002-seconds.sql'])
  expect(await applySchemaChanges(pool, folder)).toEqual([])
  expect((await pool.query('select * from seconds')).rows).toEqual([{ n: 1 }])
})

test('processes that start at once apply each change once', async () => {
  const pool = await emptyDatabase()
  const folder = await folderWith({ '001-firsts.sql': first, '002-seconds.sql': second })
  const applied = await Promise.all(Array.from({ length: 5 }, () => applySchemaChanges(pool, folder)))
  expect(applied.flat().sort()).toEqual(['001-firsts.sql', '002-seconds.sql'])
})

test('an index that is built while others write does not wait for the processes that wait for their turn', async () => {
  const pool = await emptyDatabase()
  const concurrently =
    '-- without a transaction\ndrop index concurrently if exists by_n;\ncreate index concurrently by_n on firsts (n);\n'
  const folder = await folderWith({ '001-firsts.sql': first, '002-index.sql': concurrently })
  const applied = await Promise.all(Array.from({ length: 5 }, () => applySchemaChanges(pool, folder)))
  expect(applied.flat().sort()).toEqual(['001-firsts.sql', '002-index.sql'])
})

test('a change that fails leaves nothing of itself, and the ones before it stay', async () => {
  const pool = await emptyDatabase()
  const broken = await folderWith({ '001-firsts.sql': first, '002-seconds.sql': `${second} select nothing;` })
  await expect(applySchemaChanges(pool, broken)).rejects.toThrow('The schema change 002-seconds.sql failed.')
  const mended = await folderWith({ '001-firsts.sql': first, '002-seconds.sql': second })
  expect(await applySchemaChanges(pool, mended)).toEqual(['002-seconds.sql'])
})

test('a change that waits for a table lets others use it meanwhile, and is applied once it is free', async () => {
  const pool = await emptyDatabase()
  await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': first }))
  const reader = await pool.connect()
  await reader.query('begin; select from firsts')
  const folder = await folderWith({
    '001-firsts.sql': first,
    '002-more.sql': 'alter table firsts add column m integer;',
  })
  const applied = applySchemaChanges(pool, folder)
  await until('the change waits', async () => (await pool.query(waitingForFirsts)).rows.length > 0)
  await pool.query('insert into firsts values (1)')
  await reader.query('commit')
  reader.release()
  expect(await applied).toEqual(['002-more.sql'])
  expect((await pool.query('select * from firsts')).rows).toEqual([{ n: 1, m: null }])
})

const waitingForFirsts = `select from pg_locks where not granted and relation = 'firsts'::regclass`

test('a database that is newer than the code is refused', async () => {
  const pool = await emptyDatabase()
  await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': first, '002-seconds.sql': second }))
  const older = await folderWith({ '001-firsts.sql': first })
  await expect(applySchemaChanges(pool, older)).rejects.toThrow(
    'The database is newer than this version of Roomkeeper (it has the schema change 002-seconds.sql): start the newer version.',
  )
})

test('a database with another state of a file is refused, but other line ends are no other state', async () => {
  const pool = await emptyDatabase()
  await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': `${first}\n` }))
  expect(await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': `${first}\r\n` }))).toEqual([])
  await expect(applySchemaChanges(pool, await folderWith({ '001-firsts.sql': second }))).rejects.toThrow(
    'The database was made by another, unreleased state of Roomkeeper, from which there is no upgrade (its schema change 001-firsts.sql is 74d975fb, that of this version 705e5760): nothing was changed; start the state that made it or, to give up its data, this one with an empty DATA_DIR and, where DATABASE_URL is set, an empty database.',
  )
})

test('the schema of this version applies to an empty database', async () => {
  const pool = await emptyDatabase()
  expect(await applySchemaChanges(pool)).toEqual((await readSchemaChanges()).map(({ name }) => name))
})

test('a database of many numbered files, of which this version has changed the first, is of another state and not newer', async () => {
  const pool = await emptyDatabase()
  await applySchemaChanges(pool, await folderWith({ '001-firsts.sql': first, '002-seconds.sql': second }))
  const oneFile = await folderWith({ '001-schema.sql': `${first} ${second}` })
  await expect(applySchemaChanges(pool, oneFile)).rejects.toThrow('another, unreleased state of Roomkeeper')
})

async function emptyDatabase(): Promise<pg.Pool> {
  const pool = openTestPool({ connectionString: await createEmptyDatabase() })
  onTestFinished(() => pool.end())
  return pool
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-schema-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return folder
}
