/** After the clock of the database was set back, a time to try again may lie so far ahead that nothing would come of it. */
import { type Db, queryRows } from '#platform/database.ts'

/** Longer than any pause between two tries. */
const hoursAtMost = 2

const waiting = [
  // So that an index is used: without it, a month of deliveries would be read every minute.
  { table: 'webhook_deliveries', column: 'next_try_at', which: `state = 'waiting'` },
  { table: 'room_records_due', column: 'try_at', which: 'true' },
] as const

/** Times to try again that no pause explains become now. */
export async function takeBackTimes(db: Db): Promise<void> {
  for (const { table, column, which } of waiting)
    await queryRows(
      db,
      `update ${table} set ${column} = now() where ${which} and ${column} > now() + make_interval(hours => $1)`,
      [hoursAtMost],
    )
}
