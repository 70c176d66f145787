/** Reads PostgreSQL's counters of a database, through another database so that reading does not change them. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export interface DatabaseCounter {
  read(): Promise<{ at: number; commits: number; wal: number }>
  /** Waits until the statement returns a row for the id; asks every 2 ms. */
  until(statement: string, id: string): Promise<void>
  close(): Promise<void>
}

/** A backend that becomes idle may take 10 s to report its counters. */
const usualSettledMilliseconds = 11_000

export async function countingDatabase(
  url: string,
  settledMilliseconds = usualSettledMilliseconds,
): Promise<DatabaseCounter> {
  const outside = new URL(url)
  const name = outside.pathname.slice(1)
  outside.pathname = '/postgres'
  const counting = new pg.Client({ connectionString: outside.href })
  const timer = new pg.Client({ connectionString: url })
  await Promise.all([counting.connect(), timer.connect()])
  return {
    async read() {
      await pause(settledMilliseconds)
      const { rows } = await counting.query<{ commits: string; wal: string }>(
        `select xact_commit as commits, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal
           from pg_stat_database where datname = $1`,
        [name],
      )
      return { at: performance.now(), commits: Number(rows[0]?.commits), wal: Number(rows[0]?.wal) }
    },
    async until(statement, id) {
      while ((await timer.query(statement, [id])).rowCount === 0) await pause(2)
    },
    async close() {
      await Promise.all([counting.end(), timer.end()])
    },
  }
}
