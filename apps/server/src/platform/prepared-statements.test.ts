/** On real connections: each prepares a statement once, and none stays unusable after a schema change. */
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import { queryComposed, queryRows } from './database.ts'

const { db, transaction } = await createTestDatabase({ maxConnections: 1 })
const half = 'select name, size / 2 as half from halves where size > $1 order by name'
await queryRows(db, `create table halves as select 'a' as name, 8 as size union all select 'b', 6`)

const preparedNow = () =>
  queryComposed<{ uses: number }>(
    db,
    `select (generic_plans + custom_plans)::int as uses from pg_prepared_statements where from_sql is false`,
    [],
  )

it('a statement is prepared once, also within transactions, and answers each time for its values', async () => {
  expect(await queryRows(db, half, [7])).toEqual([{ name: 'a', half: 4 }])
  for (const least of [1, 100])
    expect(await transaction((tx) => queryRows(tx, half, [least]))).toHaveLength(least === 1 ? 2 : 0)
  expect(await queryComposed(db, 'select name from halves where size > $1', [7])).toHaveLength(1)
  expect(await preparedNow()).toEqual([{ uses: 3 }])
})

it('a column that is added changes nothing', async () => {
  await queryRows(db, 'alter table halves add more text')
  expect(await queryRows(db, half, [7])).toEqual([{ name: 'a', half: 4 }])
})

it('after a change of a column that it names, it fails once, and the next connection prepares it again', async () => {
  await queryRows(db, 'alter table halves alter size type numeric')
  await expect(queryRows(db, half, [7])).rejects.toMatchObject({ routine: 'RevalidateCachedQuery' })
  expect(await queryRows<{ name: string }>(db, half, [7])).toMatchObject([{ name: 'a' }])
})
