import { roomListQuery } from '@roomkeeper/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { insertRegion, insertRooms } from '../../../test/room-rows.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { listRooms } from './list-rooms.ts'

const database = await createTestDatabase()
const { db, pool } = database

test('a page in the middle of all rooms by name is the right one, also while changes wait to be added', async () => {
  const regionId = await insertRegion(db)
  const named = (numbers: number[]) =>
    insertRooms(
      db,
      numbers.map((number) => ({ name: `n${String(number).padStart(5, '0')}`, regionId, licences: { YABD: 1 } })),
    )
  await named(Array.from({ length: 2_600 }, (_, index) => index * 10))
  await pool.query('select fold_room_names(70)')
  // Few enough not to be added to the ranges at once.
  await named([0, 1, 2, 3].map((number) => number * 6_000 + 5))
  await pool.query(`delete from rooms where name in ('n00000', 'n12340', 'n25990')`)
  const waiting = await pool.query('select count(*) from room_name_changes')
  expect(waiting.rows[0].count).toBeGreaterThan(0)
  const { rows } = await pool.query<{ name: string }>('select name from rooms order by name')
  const names = rows.map(({ name }) => name)
  const anyPage = fc.record({
    order_dir: fc.constantFrom('asc' as const, 'desc' as const),
    size: fc.integer({ min: 1, max: 100 }),
    offset: fc.integer({ min: 2_001, max: 2_800 }),
  })
  await fc.assert(
    fc.asyncProperty(anyPage, async ({ order_dir, size, offset }) => {
      const page = Math.ceil(offset / size)
      const list = await listRooms(database, { ...z.decode(roomListQuery, {}), order_dir, size, page })
      const ordered = order_dir === 'asc' ? names : names.toReversed()
      expect(list.data.map(({ tenantName }) => tenantName)).toEqual(ordered.slice(page * size, (page + 1) * size))
      expect(list).toMatchObject({ totalElements: names.length, licenses: { designers: names.length } })
    }),
    { numRuns: 150 },
  )
})
