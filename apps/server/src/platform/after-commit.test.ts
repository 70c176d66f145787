/** What is to be done once a transaction is committed. */
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import { afterCommit, queryRows } from './database.ts'

const { db, transaction } = await createTestDatabase({ maxConnections: 2 })

it('is done when others can read what was written, and not when the transaction is rolled back', async () => {
  await queryRows(db, 'create table written (n int)')
  const seen: Promise<unknown[]>[] = []
  const attempt = (mistake: Error | null) =>
    transaction(async (tx) => {
      afterCommit(tx, () => void seen.push(queryRows(db, 'select n from written')))
      await queryRows(tx, 'insert into written values (1)')
      if (mistake !== null) throw mistake
    })
  await expect(attempt(new Error('a mistake'))).rejects.toThrow('a mistake')
  expect(seen).toEqual([])
  await attempt(null)
  expect(await Promise.all(seen)).toEqual([[{ n: 1 }]])
})
