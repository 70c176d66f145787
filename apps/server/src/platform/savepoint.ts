import { queryRows, type Tx } from './database.ts'

/** Runs a part of a transaction. If it throws, only this part is rolled back, and the caller gets the error. */
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
