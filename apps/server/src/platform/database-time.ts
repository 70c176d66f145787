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

/** The same as text, as it is recorded. */
export async function databaseTimestamp(db: Db | Tx): Promise<string> {
  return (await databaseTime(db)).toISOString()
}

/**
 * SQL: whether a time is at most so many seconds away from now. One that lies further ahead was written before the clock
 * of the database was set back.
 */
export function isNear(time: string, seconds: string): string {
  return `${time} between now() - make_interval(secs => ${seconds}) and now() + make_interval(secs => ${seconds})`
}
