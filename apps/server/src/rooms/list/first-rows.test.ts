import { roomExportQuery, roomFields } from '@roomkeeper/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../../../test/test-database.ts'
import { parseRoomQuery } from './criteria.ts'
import { matchesOf } from './matches.ts'
import { hasIndexedOrder, orderSql, sortKeySql } from './orders.ts'

const database = await createTestDatabase()
const noRegions = { ordered: [], disabledIds: [] }

/** The plan that PostgreSQL would choose for a table too long to be read as a whole. */
async function planOf(statement: ReturnType<typeof sql>, ...alsoOff: 'enable_bitmapscan'[]): Promise<string> {
  return database.transaction(async (tx) => {
    for (const setting of ['enable_seqscan', ...alsoOff])
      await sql`select set_config(${setting}, 'off', true)`.execute(tx)
    const { rows } = await sql<Record<string, unknown>>`explain (format json) ${statement}`.execute(tx)
    return JSON.stringify(rows)
  })
}

test('every order that first rows are walked along has an index, in both directions', async () => {
  const fields = roomFields.filter(hasIndexedOrder)
  expect(fields).toEqual(expect.arrayContaining(['tenantName', 'companyName', 'lastBackup']))
  for (const field of fields) {
    for (const direction of ['asc', 'desc'] as const) {
      const order = orderSql(sortKeySql(field, noRegions), direction)
      const plan = await planOf(sql`select * from rooms order by ${order} limit 20`)
      expect(plan, field).toContain('Index')
      expect(plan, field).not.toContain('Sort')
    }
  }
})

test('two letters, and parts of fields about sales, are found by the index of pairs', async () => {
  const filterBy = (field: string, value: string) => ({
    filter_keys: [field],
    filter_conditions: ['CONTAINS'],
    filter_values: [value],
  })
  const found = [{ search: 'zö' }, filterBy('companyName', 'Qx'), filterBy('salesman', 'Anna||Zö')]
  for (const given of found) {
    const { pairs } = matchesOf(parseRoomQuery({ ...z.decode(roomExportQuery, {}), ...given }), noRegions)
    expect(pairs, JSON.stringify(given)).not.toBeNull()
    if (pairs !== null) expect(await planOf(sql`select name from rooms where ${pairs}`)).toContain('rooms_letter_pairs')
  }
  // What the trigrams find; what has no pair; and values of which one has none.
  for (const given of [{ search: 'anna' }, { search: 'z' }, filterBy('salesman', 'Anna||z')])
    expect(matchesOf(parseRoomQuery({ ...z.decode(roomExportQuery, {}), ...given }), noRegions).pairs).toBeNull()
})

test('what a field must not hold, and times of day, are compared in the index of the field alone', async () => {
  const filterBy = (field: string, condition: string, value: string) => ({
    filter_keys: [field],
    filter_conditions: [condition],
    filter_values: [value],
  })
  const found = [
    filterBy('customerEmail', 'NOT_CONTAINS', '@'),
    filterBy('companyName', 'NOT_EQUALS', 'Stahl'),
    filterBy('creationDate', 'CONTAINS', '14:35'),
    filterBy('creationDate', 'NOT_CONTAINS', '-05-'),
    filterBy('expirationDate', 'NOT_CONTAINS', 'T00'),
  ]
  for (const given of found) {
    const { where } = matchesOf(parseRoomQuery({ ...z.decode(roomExportQuery, {}), ...given }), noRegions)
    // A bitmap costs hardly more or less than the index alone as long as the table is empty.
    const plan = await planOf(sql`select name from rooms where ${where}`, 'enable_bitmapscan')
    expect(plan, JSON.stringify(given)).toContain('Index Only Scan')
  }
})

test('times that are few spans, and what is beside them, are looked up', async () => {
  const texts = [
    ['CONTAINS', '2025-05'],
    ['NOT_CONTAINS', '20'],
    ['CONTAINS', '-02-29'],
  ]
  for (const field of ['creationDate', 'expirationDate']) {
    for (const [condition = '', value = ''] of texts) {
      const given = { filter_keys: [field], filter_conditions: [condition], filter_values: [value] }
      const { where } = matchesOf(parseRoomQuery({ ...z.decode(roomExportQuery, {}), ...given }), noRegions)
      expect(await planOf(sql`select * from rooms where ${where}`), value).toContain('Index Cond')
    }
  }
})
