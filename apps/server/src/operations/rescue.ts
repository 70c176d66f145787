/**
 * Takes the work of dead workers over. One rescuer at a time (a lock), in one transaction with the removal of the
 * dead row: when the rescuer dies in between, the row still stands and the next one does it again.
 */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { type Database, queryRows } from '#platform/database.ts'
import { queueName } from './queues.ts'

const rescueLock = 7_204_001

/**
 * @param everything looks for orphans even when no worker has died
 * @returns how many workflows were put back into their queues
 */
export function rescueOperations(database: Database, leaseSeconds: number, everything: boolean): Promise<number> {
  return database.transaction(async (tx) => {
    const [lock] = await queryRows<{ mine: boolean }>(tx, 'select pg_try_advisory_xact_lock($1) as mine', [rescueLock])
    if (lock?.mine !== true) return 0
    const dead = await queryRows(
      tx,
      'delete from workers where heartbeat_at < now() - make_interval(secs => $1) returning id',
      [leaseSeconds],
    )
    if (dead.length === 0 && !everything) return 0
    const orphans = await DBOS.listWorkflows({ status: 'PENDING', loadInput: false, loadOutput: false })
    if (orphans.length === 0) return 0
    const alive = new Set((await queryRows<{ id: string }>(tx, 'select id::text from workers')).map((row) => row.id))
    const lost = orphans.filter((each) => !alive.has(each.executorId ?? ''))
    for (const each of lost) {
      await DBOS.resumeWorkflow(each.workflowID, { queueName })
    }
    return lost.length
  })
}
