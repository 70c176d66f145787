/** How many rooms have no backup younger than so many days: the same figure for the statistics and the metrics. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'

const days = [1, 7, 30] as const

/** @param where on `rooms`. An index alone answers it where it is about what `room_totals` has. */
export async function countWithoutBackup(
  db: Db,
  where: RawBuilder<boolean>,
): Promise<{ days: number; rooms: number }[]> {
  const counts = days.map((each) => {
    return sql`count(*) filter (where last_backup_at <= now() - make_interval(days => ${sql.lit(each)}))`
  })
  const { rows } = await sql<{ counts: string[] }>`
    select array[${sql.join(counts)}]::text[] as counts from rooms where ${where}`.execute(db)
  return days.map((each, index) => ({ days: each, rooms: Number(rows[0]?.counts[index]) }))
}
