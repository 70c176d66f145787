/** Work that only one process may do at a time, all over the database. */
import type pg from 'pg'
import { pause } from './pause.ts'

/** Waits for its turn; the lock ends with the connection, also when this process dies. */
export async function oneAtATime<T>(pool: pg.Pool, lockNumber: number, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    while (!(await takeLock(client, lockNumber))) await pause(100)
    return await work()
  } finally {
    // Destroyed, not given back: whatever happened, the lock is free.
    client.release(true)
  }
}

/** Asked again and again: a statement that waits inside PostgreSQL would hold up every `create index concurrently`. */
async function takeLock(client: pg.PoolClient, lockNumber: number): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lockNumber])
  return rows[0]?.mine === true
}
