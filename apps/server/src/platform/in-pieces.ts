import { type Db, queryRows } from './database.ts'

const longestMilliseconds = 10_000

/**
 * Repeats a statement that changes at most `atOnce` rows and returns each, until nothing is left for it: a statement
 * over all of them would reach the limit of time, and then fail again each time with more rows. What is left after
 * some seconds waits for the next call.
 */
export async function inPieces(db: Db, statement: string, values: readonly unknown[], atOnce: number): Promise<void> {
  const end = performance.now() + longestMilliseconds
  let changed: unknown[]
  do changed = await queryRows(db, statement, values)
  while (changed.length === atOnce && performance.now() < end)
}
