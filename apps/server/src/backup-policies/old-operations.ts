/**
 * A million rooms have a million scheduled operations a day. Those that went well at once are removed after a few days:
 * what lasts is the backup, the record of when it was due, and the counts. Failed and retried ones stay as long as all
 * other operations, because somebody may look into them.
 */
import type { Db } from '#platform/database.ts'
import { inPieces } from '#platform/in-pieces.ts'

const keptDays = 7
const atOnce = 1_000

/** A condition on operations `o`, the one of the index operations_of_policies. */
export const succeededScheduledOperation = `o.state = 'done' and o.started_by = 'system'
  and o.kind in ('room.backup-scheduled', 'room.backup-scheduled-d2o', 'backup.verify')`

/** Housekeeping. */
export async function removeScheduledOperations(db: Db, until: number): Promise<void> {
  await inPieces(
    db,
    `delete from operations where id in (
       select id from operations o
        where o.attempt = 1 and o.ended_at < now() - make_interval(days => $1) and ${succeededScheduledOperation}
        order by o.ended_at limit $2)
     returning 1`,
    [keptDays, atOnce],
    atOnce,
    until,
  )
}
