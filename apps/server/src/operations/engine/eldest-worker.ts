import { type Db, queryRows } from '#platform/database.ts'
import { isNear } from '#platform/database-time.ts'

/**
 * Whether this worker began first of those whose lease runs: for regular work that one process does for all. Without a
 * lock and without a write; for a moment none or two may be it, so the work must bear that.
 */
export async function isEldestWorker(db: Db, workerId: string, leaseSeconds: number): Promise<boolean> {
  const [eldest] = await queryRows<{ id: string }>(
    db,
    `select id from workers where ${isNear('heartbeat_at', '$1')} order by started_at, id limit 1`,
    [leaseSeconds],
  )
  return eldest?.id === workerId
}
