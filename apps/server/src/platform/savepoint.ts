import { queryRows, type Tx } from './database.ts'

/** Does work of a transaction that can be undone alone: if it throws, the transaction goes on as if it had not begun. */
export async function withinSavepoint(tx: Tx, work: () => Promise<void>): Promise<void> {
  await queryRows(tx, 'savepoint work')
  try {
    await work()
  } catch (error) {
    await queryRows(tx, 'rollback to savepoint work')
    throw error
  }
  await queryRows(tx, 'release savepoint work')
}
