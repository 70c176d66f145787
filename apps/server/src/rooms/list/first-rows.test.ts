import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import { indexedOrders, orderSql, sortKeySql } from './list-rooms.ts'

const database = await createTestDatabase()
const noRegions = { ordered: [], disabledIds: [] }

/** The plan that PostgreSQL would choose for a table too long to be read as a whole. */
async function planOf(statement: ReturnType<typeof sql>): Promise<string> {
  return database.transaction(async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx)
    const { rows } = await sql<Record<string, unknown>>`explain (format json) ${statement}`.execute(tx)
    return JSON.stringify(rows)
  })
}

test('every order that first rows are walked along has an index, in both directions', async () => {
  for (const field of indexedOrders) {
    for (const direction of ['asc', 'desc'] as const) {
      const order = orderSql({ key: sortKeySql(field, noRegions), direction })
      const plan = await planOf(sql`select * from rooms order by ${order} limit 20`)
      expect(plan, field).toContain('Index')
      expect(plan, field).not.toContain('Sort')
    }
  }
})
