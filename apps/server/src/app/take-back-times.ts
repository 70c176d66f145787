/** After the clock of the database was set back, a time to try again may lie so far ahead that nothing would come of it. */
import { type Db, queryRows } from '#platform/database.ts'

/** Longer than any pause between two tries. */
const hoursAtMost = 2

const waiting = [
  { table: 'webhook_deliveries', column: 'next_try_at' },
  { table: 'room_records_due', column: 'try_at' },
] as const

/** Times to try again that no pause explains become now. */
export async function takeBackTimes(db: Db): Promise<void> {
  for (const { table, column } of waiting)
    await queryRows(db, `update ${table} set ${column} = now() where ${column} > now() + make_interval(hours => $1)`, [
      hoursAtMost,
    ])
}
