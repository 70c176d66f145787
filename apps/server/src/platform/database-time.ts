import { type Db, queryRows, type Tx } from './database.ts'

/**
 * The time of the database. What is recorded for other processes carries this time, so that a process whose clock is
 * wrong misleads none of them.
 */
export async function databaseTime(db: Db | Tx): Promise<Date> {
  const [row] = await queryRows<{ now: string }>(db, 'select clock_timestamp() as now')
  if (row === undefined) throw new Error('The database did not tell its time.')
  return new Date(row.now)
}
