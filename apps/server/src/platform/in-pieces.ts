/** Work that is too much for one statement or transaction, done in pieces. */
import { randomUUID } from 'node:crypto'
import { type Db, queryRows } from './database.ts'

const maxMilliseconds = 10_000

/**
 * Repeats a statement that changes at most `atOnce` rows and returns each, until no rows are left: one statement for
 * all rows could exceed the time limit, and would then fail again each time with more rows. After ten seconds the rest
 * waits for the next call.
 * @param until a time of `performance.now()`
 */
export async function inPieces(
  db: Db,
  statement: string,
  values: readonly unknown[],
  atOnce: number,
  until = performance.now() + maxMilliseconds,
): Promise<void> {
  await piecesUntil(async () => (await queryRows(db, statement, values)).length === atOnce, until)
}

/**
 * Repeats a piece of work, each time a statement or a short transaction of its own, until there is no more of it or the
 * time is over: what is left then is for the next time.
 * @param piece says whether there may be more
 * @param until a time of `performance.now()`
 */
export async function piecesUntil(piece: () => Promise<boolean>, until: number): Promise<void> {
  while (performance.now() < until && (await piece()));
}

/**
 * Goes through rows in the order of an id, page by page. It begins at a random one, so that rows that take long or
 * fail do not keep it from the others.
 * @param page the ids behind `after`, up to `last`. Returns the last one that it has seen; null: there are no more
 * @param until a time of `performance.now()`
 */
export async function fromAnywhere(
  page: (after: string, last: string) => Promise<string | null>,
  until: number,
): Promise<void> {
  const middle = randomUUID()
  const halves = [
    [middle, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['00000000-0000-0000-0000-000000000000', middle],
  ] as const
  for (const [first, last] of halves) {
    let after: string = first
    const nextPage = async () => {
      const seen = await page(after, last)
      after = seen ?? last
      return seen !== null
    }
    await piecesUntil(nextPage, until)
  }
}
