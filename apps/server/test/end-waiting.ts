/** Ends operations that wait, for tests in which no worker runs. */
import { endNeverRun } from '#operations/end-operations.ts'
import { type Database, queryRows } from '#platform/database.ts'

interface Ended {
  state?: 'done' | 'failed'
  /** When they end; default: now. */
  at?: Date
  /** Default: of all kinds. */
  kind?: string
}

/** @returns their ids */
export function endWaiting(database: Database, { state = 'done', at, kind }: Ended = {}): Promise<string[]> {
  return database.transaction(async (tx) => {
    const waiting = await queryRows<{ id: string }>(
      tx,
      `select id from operations where state = 'waiting' and ($1::text is null or kind = $1) for update`,
      [kind ?? null],
    )
    const ids = waiting.map(({ id }) => id)
    await endNeverRun(tx, ids, state)
    if (at !== undefined)
      await queryRows(tx, 'update operations set ended_at = $2 where id = any($1::uuid[])', [ids, at])
    return ids
  })
}
